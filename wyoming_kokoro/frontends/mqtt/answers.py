"""Questions on `request/<operation>` and where their answers go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.frontends.announcement_document import announcement_document
from wyoming_kokoro.frontends.mqtt import reading
from wyoming_kokoro.frontends.mqtt.event_payload import encode
from wyoming_kokoro.frontends.mqtt.topics import takes_answers
from wyoming_kokoro.model.errors import AnnouncementNotFoundError, RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wyoming_kokoro.core.house import House
    from wyoming_kokoro.frontends.mqtt.message import Message
    from wyoming_kokoro.frontends.mqtt.outlet import Outlet
    from wyoming_kokoro.frontends.mqtt.topics import Topics


class Answers:
    """Each question is one call of the core."""

    def __init__(self, house: House, topics: Topics, outlet: Outlet) -> None:
        self._house = house
        self._topics = topics
        self._outlet = outlet

    async def answer(self, operation: str, message: Message) -> None:
        """Return once the answer is at the broker. Raises `RefusedError`, and `LogError` where the journal is away."""
        if message.reply_to is not None and not takes_answers(message.reply_to):
            raise RefusedError("ResponseTopic", "a topic below wyoming_kokoro/ that nothing else goes to is expected")
        await self._send(operation, message, await self._found(operation, message.payload))

    async def refuse(self, operation: str, message: Message, refused: RefusedError) -> None:
        """Answer that the question is wrong."""
        error = {"message": refused.message, "param": refused.field, "code": refused.code}
        await self._send(operation, message, {"error": error})

    async def _found(self, operation: str, payload: bytes) -> Mapping[str, object]:
        announcements = self._house.announcements
        match operation:
            case "list":
                page = reading.read_page(payload)
                views, token = await announcements.newest(limit=page.limit, before=page.before)
                return {"announcements": [announcement_document(view) for view in views], "next": token}
            case "get" | "cancel":
                wanted = reading.read_wanted_id(payload)
                return await self._about(operation, wanted)
            case _:
                raise reading.refuse_operation(operation)

    async def _about(self, operation: str, wanted: str) -> Mapping[str, object]:
        announcements = self._house.announcements
        try:
            if operation == "get":
                return announcement_document(await announcements.get(wanted))
            await announcements.cancel(wanted)
        except AnnouncementNotFoundError as error:
            raise RefusedError("id", str(error)) from error
        return {"id": wanted, "cancelled": True}

    async def _send(self, operation: str, message: Message, document: Mapping[str, object]) -> None:
        topic = message.reply_to
        if topic is None or not takes_answers(topic):
            topic = self._topics.response(operation)
        await self._outlet.publish(topic, encode(document), correlation=message.correlation)
