# The service as an image: built from the package, run as an unprivileged user on a root that may be read-only.
#   docker build -t watchword .
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run package -- /build/dist
RUN mkdir -p /build/image && tar -xzf /build/dist/watchword-*.tgz -C /build/image --strip-components=1

FROM node:24-bookworm-slim
COPY --from=build /build/image /opt/watchword
# The embedded database, the secret and the first keys; with DATABASE_URL and WATCHWORD_SECRET, nothing is kept here.
RUN ln -s /opt/watchword/bin/watchword.js /usr/local/bin/watchword && install -d -o node -g node -m 0700 /data
ENV NODE_ENV=production HOST=0.0.0.0 OPS_HOST=0.0.0.0 DASHBOARD_HOST=0.0.0.0 DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 3000 3001 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9464/healthz').then(({ok})=>process.exit(ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["watchword"]
CMD ["serve"]
