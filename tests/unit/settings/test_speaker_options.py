"""What an options file may say of a room's speakers, and what each wrong value is told."""

from __future__ import annotations

import pytest

from wyoming_kokoro.model.errors import SettingsError
from wyoming_kokoro.settings.speakers import HomeAssistantSpeaker, MqttEventSpeaker, SnapcastSpeaker, read_speakers

PLACE = "options.yaml: rooms[0].speakers"


def complaint(value: object) -> str:
    with pytest.raises(SettingsError) as caught:
        read_speakers(value, PLACE)
    message = str(caught.value)
    assert "\n" not in message
    return message.removeprefix(PLACE)


def test_each_type_has_its_own_options_and_defaults() -> None:
    speakers = read_speakers(
        [
            {"type": "home_assistant", "entity": "media_player.kitchen"},
            {"type": "home_assistant", "entity": "assist_satellite.hall", "format": "flac"},
            {"type": "snapcast", "host": "snap.local", "group": "Kitchen", "rate": 44100, "channels": 1},
            {"type": "mqtt_event"},
        ],
        PLACE,
    )
    assert speakers == (
        HomeAssistantSpeaker(entity="media_player.kitchen"),
        HomeAssistantSpeaker(entity="assist_satellite.hall", format="flac"),
        SnapcastSpeaker(host="snap.local", group="Kitchen", rate=44100, channels=1),
        MqttEventSpeaker(),
    )
    assert [speaker.name for speaker in speakers] == [
        "media_player.kitchen",
        "assist_satellite.hall",
        "snapcast.Kitchen",
        "mqtt_event",
    ]


def test_a_speaker_may_be_one_text() -> None:
    texts = [
        "media_player.kitchen",
        "home_assistant:assist_satellite.hall, format=flac",
        "snapcast:snap.local:4954,group=Living room,buffer_ms=500",
        "snapcast:[fe80::1]:4953,channels=1",
        " mqtt_event ",
    ]
    assert read_speakers(texts, PLACE) == (
        HomeAssistantSpeaker(entity="media_player.kitchen"),
        HomeAssistantSpeaker(entity="assist_satellite.hall", format="flac"),
        SnapcastSpeaker(host="snap.local", port=4954, group="Living room", buffer_ms=500),
        SnapcastSpeaker(host="fe80::1", port=4953, channels=1),
        MqttEventSpeaker(),
    )


def test_texts_and_mappings_may_stand_side_by_side() -> None:
    speakers = read_speakers(["mqtt_event", {"type": "home_assistant", "entity": "media_player.a"}], PLACE)
    assert [speaker.name for speaker in speakers] == ["mqtt_event", "media_player.a"]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("media_player.kitchen", " is the text 'media_player.kitchen', but must be a list such as [{type: home_assistant,"),
        ([7], "[0] is the number 7, but must be a mapping with a type, one of home_assistant, snapcast, mqtt_event"),
        (["sonos"], "[0] is the text 'sonos', but must be such as media_player.kitchen, mqtt_event or snapcast:192.168.1.5,"),
        (["home_assistant"], "[0]: entity is missing, but must be an entity such as media_player.kitchen or"),
        (["home_assistant:light.kitchen"], "[0]: entity is the text 'light.kitchen', but must be an entity such as"),
        (["media_player.Kitchen"], "[0]: entity is the text 'media_player.Kitchen', but must be an entity such as"),
        (["media_player.kitchen,fromat=mp3"], "[0]: there is no option fromat; did you mean format?"),
        (["media_player.kitchen,flac"], "[0]: 'flac' is no option, such as format=..."),
        (["media_player.kitchen,entity=media_player.hall"], "[0]: entity is said already"),
        (["mqtt_event:kitchen"], "[0]: mqtt_event has nothing behind a colon"),
        (["mqtt_event,now"], "[0]: 'now' is no option: there are none here"),
        (["snapcast:"], "[0]: host is the text '', but must be an address or the name of a host"),
        (["snapcast:a:b:c"], "[0]: 'a:b:c' is no HOST or HOST:PORT"),
        (["snapcast:snap,rate=fast"], "[0]: rate is the text 'fast', but must be one of 16000, 22050, 24000, 44100, 48000"),
        (["snapcast:snap:70000"], "[0]: port is the number 70000, but must be a whole number from 1 to 65535"),
        ([{"entity": "media_player.a"}], "[0]: type is empty, but must be one of home_assistant, snapcast, mqtt_event"),
        ([{"type": "sonos"}], "[0]: type is the text 'sonos', but must be one of home_assistant, snapcast, mqtt_event"),
        ([{"type": ["snapcast"]}], "[0]: type is a list, but must be one of home_assistant, snapcast, mqtt_event"),
        ([{"type": "home_assistant"}], "[0]: entity is missing, but must be an entity such as media_player.kitchen or"),
        (
            [{"type": "home_assistant", "entity": "light.kitchen"}],
            "[0]: entity is the text 'light.kitchen', but must be an entity such as media_player.kitchen or",
        ),
        (
            [{"type": "home_assistant", "entity": "media_player.a", "fromat": "mp3"}],
            "[0]: there is no option fromat; did you mean format?",
        ),
        ([{"type": "mqtt_event"}, {"type": "snapcast"}], "[1]: host is missing, but must be an address or the name of a host"),
        (
            [{"type": "snapcast", "host": "snap", "port": 0}],
            "[0]: port is the number 0, but must be a whole number from 1 to 65535",
        ),
        (
            [{"type": "mqtt_event"}, {"type": "mqtt_event"}],
            "[1]: mqtt_event is there already; name each speaker of a room once",
        ),
    ],
)
def test_a_wrong_speaker_is_refused_with_its_place_and_what_would_be_right(value: object, message: str) -> None:
    assert complaint(value).startswith(message)
