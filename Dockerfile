# The service as an image: built from the package, run as an unprivileged user on a root that may be read-only.
#   docker build -t watchword .
#   docker buildx build --platform linux/amd64,linux/arm64 -t registry.example/watchword --push .
ARG NODE_IMAGE=node:24-bookworm-slim
# The package is JavaScript and WebAssembly: it is made once, on the machine's own processor, for all.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
ARG NPM_REGISTRY=https://registry.npmjs.org
ENV NPM_CONFIG_REGISTRY=${NPM_REGISTRY}
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run package -- /build/dist
RUN mkdir -p /build/image && tar -xzf /build/dist/watchword-*.tgz -C /build/image --strip-components=1
# The embedded database, the secret and the first keys; with DATABASE_URL and WATCHWORD_SECRET, nothing is kept here.
RUN mkdir -p /build/root/bin && ln -s /opt/watchword/bin/watchword.js /build/root/bin/watchword && install -d -m 0700 /build/root/data

# Runs nothing, so that no other processor has to be played.
FROM ${NODE_IMAGE}
COPY --from=build /build/image /opt/watchword
COPY --from=build /build/root/bin/ /usr/local/bin/
COPY --from=build --chown=node:node /build/root/data /data
ENV NODE_ENV=production HOST=0.0.0.0 OPS_HOST=0.0.0.0 DASHBOARD_HOST=0.0.0.0 DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 3000 3001 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.OPS_PORT||9464)+'/healthz').then(({ok})=>process.exit(ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["watchword"]
CMD ["serve"]
