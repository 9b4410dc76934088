"""What the broker may forget, and what it brings again."""

from __future__ import annotations

from wyoming_kokoro.frontends.mqtt.inbox import Inbox, Pending
from wyoming_kokoro.frontends.mqtt.message import Message


def message(text: str, mid: int, *, again: bool = False) -> Message:
    return Message(topic="t", payload=text.encode(), mid=mid, is_redelivered=again)


def take(inbox: Inbox, text: str, mid: int, *, again: bool = False) -> Pending:
    pending = inbox.take(message(text, mid, again=again))
    assert pending is not None
    return pending


def test_acknowledgements_leave_in_the_order_of_arrival() -> None:
    inbox = Inbox(remembered=4)
    first, second, third = (take(inbox, text, mid) for text, mid in (("a", 1), ("b", 2), ("c", 3)))
    inbox.finish(second)
    assert inbox.acks() == []
    inbox.finish(first)
    assert inbox.acks() == [1, 2]
    inbox.finish(third)
    assert inbox.acks() == [3]
    assert inbox.acks() == []


def test_what_is_sent_without_acknowledgement_holds_up_nobody() -> None:
    inbox = Inbox(remembered=4)
    take(inbox, "a", 0)
    second = take(inbox, "b", 7)
    inbox.finish(second)
    assert (inbox.acks(), inbox.unfinished) == ([7], 1)


def test_a_message_under_way_that_is_brought_again_is_acknowledged_under_its_new_number() -> None:
    inbox = Inbox(remembered=4)
    pending = take(inbox, "a", 1)
    inbox.reconnected()
    assert inbox.take(message("a", 5, again=True)) is None
    inbox.finish(pending)
    assert (inbox.acks(), inbox.unfinished) == ([5], 0)


def test_a_message_that_was_done_but_not_acknowledged_in_time_is_acknowledged_at_once() -> None:
    inbox = Inbox(remembered=4)
    first, second = take(inbox, "a", 1), take(inbox, "b", 2)
    inbox.finish(second)
    inbox.reconnected()
    assert inbox.take(message("b", 3, again=True)) is None
    assert inbox.acks() == [3]
    assert inbox.take(message("a", 4, again=True)) is None
    assert inbox.acks() == []
    inbox.finish(first)
    assert inbox.acks() == [4]


def test_an_acknowledgement_that_the_broker_did_not_get_is_sent_again() -> None:
    inbox = Inbox(remembered=4)
    inbox.finish(take(inbox, "a", 1))
    assert inbox.acks() == [1]
    inbox.reconnected()
    assert inbox.take(message("a", 9, again=True)) is None
    assert inbox.acks() == [9]


def test_the_same_words_sent_twice_are_two_messages_and_stay_two() -> None:
    inbox = Inbox(remembered=4)
    take(inbox, "a", 1)
    take(inbox, "a", 2)
    inbox.reconnected()
    assert inbox.take(message("a", 1, again=True)) is None
    assert inbox.take(message("a", 2, again=True)) is None
    assert take(inbox, "a", 3, again=True) is not None
    assert inbox.unfinished == 3


def test_a_fresh_message_is_never_taken_for_an_old_one() -> None:
    inbox = Inbox(remembered=4)
    take(inbox, "a", 1)
    inbox.reconnected()
    assert take(inbox, "a", 1) is not None


def test_the_past_is_forgotten_but_what_is_under_way_is_not() -> None:
    inbox = Inbox(remembered=2)
    lasting = take(inbox, "lasting", 1)
    inbox.reconnected()
    for number in range(50):
        inbox.finish(take(inbox, f"n-{number}", number + 2))
        inbox.acks()
    for _ in range(3):
        inbox.reconnected()
    assert len(inbox._earlier) <= 3
    assert inbox.take(message("n-49", 60, again=True)) is None
    assert inbox.take(message("lasting", 61, again=True)) is None
    assert inbox.take(message("n-1", 62, again=True)) is not None
    inbox.finish(lasting)
    assert inbox.acks() == [60, 61]
