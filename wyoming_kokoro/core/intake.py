"""The core's front desk: requests with their whole text, and requests whose text is still to come."""

from __future__ import annotations

from wyoming_kokoro.core.acceptance import Acceptance
from wyoming_kokoro.core.accepted import Accepted
from wyoming_kokoro.core.idempotency import IdempotencyKeys, request_digest
from wyoming_kokoro.core.incoming import IncomingText
from wyoming_kokoro.core.metrics import Counter
from wyoming_kokoro.core.recipes import Recipes
from wyoming_kokoro.core.worker import Worker
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.cast import CastRequest
from wyoming_kokoro.model.records import Idempotency
from wyoming_kokoro.settings import WorkSettings


class Intake:
    """What the doors ask."""

    def __init__(self, shop: Workshop, worker: Worker, recipes: Recipes, settings: WorkSettings, keys: IdempotencyKeys) -> None:
        self._shop = shop
        self._worker = worker
        self._settings = settings
        self._keys = keys
        self.acceptance = Acceptance(shop, worker, recipes, settings)
        self.recipes = recipes

    def open(self, request: CastRequest) -> IncomingText:
        """A request whose text is still to come. Raises `RefusedError`."""
        if self.recipes.falls_back(request):
            self._shop.metrics.count(Counter.voice_fallbacks_total)
        stream = self.recipes.stream(request)
        return IncomingText(self.acceptance, self._shop, self._worker, stream, request, self._settings)

    async def accept(self, request: CastRequest, *, idempotency_key: str | None = None) -> Accepted:
        """Return once the request is durable, or found to be whole already.

        Repeated under the same key within `dedupe_hours` it is accepted once and answered the same, also after a restart.
        Raises `RefusedError` for a request that is wrong, `IdempotencyMismatchError` for another one under that key,
        `QueueFullError`, and `LogError` where the journal does not take it.
        """
        recipe = await self.recipes.whole_in_slices(request)
        if idempotency_key is None:
            return await self.acceptance.accept_recipe(recipe, request)
        digest = request_digest(request)
        async with self._keys.turn(idempotency_key):
            accepted = self._keys.answer(idempotency_key, digest)
            if accepted is None:
                mark = Idempotency(key=idempotency_key, digest=digest)
                accepted = await self.acceptance.accept_recipe(recipe, request, mark)
                self._keys.remember(idempotency_key, digest, accepted)
        return accepted
