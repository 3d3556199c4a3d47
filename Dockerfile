# Needs DATABASE_URL, PUBLIC_URL and SECRET (see .env.example), and /data for files. Before a release, pin the base image by its digest in each
# FROM (docs/operating/images.md); Renovate does it too.

FROM node:24-slim AS packages
WORKDIR /shop
COPY package.json package-lock.json .npmrc ./
# COMPANION=1 adds imports from clouds (docs/operating/clouds.md).
ARG COMPANION=
RUN npm ci --omit=dev --no-progress && if [ -n "$COMPANION" ]; then npm run -s companion; fi
COPY demo demo
COPY migrations migrations
COPY sandbox sandbox
COPY scripts scripts
COPY src src
# Removes packages of Node, the embedded database and pages. The base image, a separate service and dist/ replace them.
RUN node --disable-warning=ExperimentalWarning scripts/prune.ts .

FROM node:24-slim AS pages
WORKDIR /shop
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-progress
COPY . .
RUN node scripts/build.mjs

FROM node:24-slim
ARG VERSION=1.2.0 REVISION=unknown SOURCE=unknown
LABEL org.opencontainers.image.title="Primo" org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.description="A digital-goods store" org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION" org.opencontainers.image.source="$SOURCE"
# Operators run commands with npm (npm run shop -- doctor), also with a read-only root.
ENV NPM_CONFIG_UPDATE_NOTIFIER=false NPM_CONFIG_LOGS_MAX=0 NPM_CONFIG_CACHE=/tmp/npm
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_ARENA_MAX=2 NODE_COMPILE_CACHE=/shop/.cache
WORKDIR /shop
RUN install -d -o node -g node /data .cache
COPY --from=packages /shop ./
COPY --from=pages /shop/dist dist
# The launcher detects an image by the missing lockfile.
RUN rm -f package-lock.json .npmrc
USER node
# Compiles the sources once, so that no start spends time and memory on it. The wrong setting ends this start before it
# opens a database.
RUN ! PORT=none node --disable-warning=ExperimentalWarning --max-semi-space-size=8 src/app/main.server.ts
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=8", "src/app/main.server.ts"]
