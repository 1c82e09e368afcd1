# Build: docker build -t app .
# node_modules/plinth/docs/deploying.md, section Containers, has the build arguments and how to run the image.

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/plinth/package.json packages/plinth/
RUN npm install --install-links --ignore-scripts --no-audit --no-fund && npm cache clean --force

FROM packages AS build
COPY . .
# Both are optional: node_modules/plinth/docs/deploying.md, section Rolling deploys.
ARG DEPLOYMENT_ID
ARG NEXT_SERVER_ACTIONS_ENCRYPTION_KEY
# The server reads the configuration of Next too, and has no compiler for TypeScript.
RUN npm run build \
  && npx esbuild next.config.ts --bundle --platform=node --format=esm --outfile=runtime/next.config.mjs \
  && cp -R package.json public .next runtime/ \
  && find src \( -path '*/migrations/*.sql' -o -name '*.mjs' \) -exec cp --parents {} runtime/ \; \
  && cp -R --parents node_modules/plinth runtime/ \
  && (cd runtime/node_modules/plinth && rm -rf src scripts docs dist/testing) \
  && rm -rf runtime/.next/plinth/build.json runtime/.next/cache runtime/.next/types runtime/.next/trace* \
  && find runtime/.next runtime/node_modules -type f \( -name '*.map' -o -name '*.nft.json' -o -name '*.d.ts' \) -delete \
  && mkdir /data

FROM packages AS production-packages
# The compiler, the image library and the browser driver are optional packages of Next that the server
# does not load. Source maps, types and the ES modules of Next are for builds. The build stage has the engine.
RUN npm prune --install-links --omit=dev --ignore-scripts --no-audit --no-fund \
  && cd node_modules \
  && rm -rf @next/swc-* @img sharp @axe-core @playwright @types caniuse-lite playwright playwright-core \
  && rm -rf next/dist/esm next/dist/docs next/dist/bundle-analyzer next/dist/compiled/next-devtools \
  && find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && find next/dist/compiled/next-server -name '*.dev.js' -delete \
  # Fails here instead of at the first sign-in.
  && node -e "require('@node-rs/argon2')"

FROM node:24-slim
ARG VERSION
ARG REVISION
ARG SOURCE
LABEL org.opencontainers.image.title="plinth" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.source="${SOURCE}" \
  org.opencontainers.image.base.name="docker.io/library/node:24-slim"
ENV NODE_ENV=production \
  NEXT_TELEMETRY_DISABLED=1 \
  HOST=0.0.0.0 \
  PORT=3000 \
  DATA_DIR=/data
WORKDIR /app
COPY --from=production-packages /app/node_modules node_modules
COPY --from=build /app/runtime ./
COPY --from=build --chown=1000:1000 /data /data
# A number, because Kubernetes cannot verify that a name is not root. It is the user node of the base.
USER 1000:1000
EXPOSE 3000
# Not readiness: an unavailable database is no reason to restart the container.
HEALTHCHECK --interval=15s --timeout=5s --start-period=120s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "node_modules/plinth", "start"]
