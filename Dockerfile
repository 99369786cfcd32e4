# The service as an image: Node, its packages and its source, without a shell or a package manager.
# It runs the distributed edition; the embedded one includes PostgreSQL, whose initdb needs a shell. The command names the roles to run. Run
# `migrate` once before the first role starts: it brings the schema of the database up to this version.
#
#   docker build -t sports-data-service .
#   docker run --rm --env-file migrate.env sports-data-service migrate
#   docker run --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges -v sds-api:/data --env-file api.env sports-data-service start api
#
# The service writes only to /data (the state of the process, which may be lost) and /tmp.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /service
COPY package.json package-lock.json ./
# Runs no install scripts, and leaves out optional packages: they are Node from npm and the embedded PostgreSQL.
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
# COPY creates a folder that it names anew, open to all users; a folder inside a copied one keeps its mode.
RUN chmod -R a-w,a+rX /service && mkdir /volumes && mkdir -m 0700 /volumes/data

# glibc and CA certificates; its user 65532 owns only /data.
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
ENTRYPOINT ["/usr/local/bin/node", "--max-semi-space-size=16", "--v8-pool-size=0", "--disable-proto=delete", "--disable-warning=TimeoutNegativeWarning", "--disable-warning=ExperimentalWarning", "/service/ops/cli.ts"]
CMD ["start"]
