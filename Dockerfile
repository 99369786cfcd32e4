# The service as an image: Node, its packages and its source, and nothing that could run anything else: no shell, no package manager.
# It runs the distributed edition; the embedded one brings a PostgreSQL of its own, whose initdb needs a shell. Which roles run is the command,
# and so is what brings the schema of the database up to this version, once before the first of them starts:
#
#   docker build -t sports-data-service .
#   docker run --rm --env-file migrate.env sports-data-service migrate
#   docker run --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges -v sds-api:/data --env-file api.env sports-data-service start api
#
# All that is written is under /data (state of the process: who builds on it may lose it) and /tmp.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /service
COPY package.json package-lock.json ./
# No package's own script runs, and what is optional is for other editions: Node from npm, the embedded PostgreSQL.
RUN npm ci --ignore-scripts --omit=dev --omit=optional --no-audit --no-fund
COPY schemas ./schemas
COPY core ./core
COPY http ./http
COPY platform ./platform
COPY ingest ./ingest
COPY projectors ./projectors
COPY api ./api
COPY ops ./ops
COPY scripts/health.mjs ./scripts/health.mjs
# A folder that is copied by its name is made anew, open to all; one within what is copied keeps its mode.
RUN chmod -R a-w,a+rX /service && mkdir /volumes && mkdir -m 0700 /volumes/data

# glibc and the certificates of authorities; its user 65532 owns nothing but /data.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /service /service
COPY --from=build --chown=65532:65532 /volumes /
WORKDIR /service
ENV NODE_ENV=production NODE_COMPILE_CACHE=/tmp/compile SDS_EDITION=distributed SDS_DATA_DIR=/data SDS_HOST=0.0.0.0
USER 65532:65532
VOLUME ["/data"]
EXPOSE 8080 8081
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["/usr/local/bin/node", "/service/scripts/health.mjs"]
ENTRYPOINT ["/usr/local/bin/node", "--max-semi-space-size=16", "--disable-proto=delete", "--disable-warning=TimeoutNegativeWarning", "--disable-warning=ExperimentalWarning", "/service/ops/cli.ts"]
CMD ["start"]
