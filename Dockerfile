# The program with its libraries, for `venue schedule` and `venue serve`: see compose.yaml and docs/operator.md.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit dev --no-audit --no-fund

FROM ${NODE_IMAGE}
COPY --from=build /app/node_modules /app/node_modules
COPY --from=build /app/dist /app/dist
COPY --from=build /app/sql /app/sql
COPY --from=build /app/data /app/data
COPY --from=build /app/docs /app/docs
COPY --from=build /app/src/report/html/assets /app/src/report/html/assets
COPY --from=build /app/package.json /app/LICENSE /app/NOTICE /app/
RUN chmod +x /app/dist/main.js \
    && ln -s /app/dist/main.js /usr/local/bin/venue \
    && install -d -o 1000 -g 1000 /data
# All that changes is in one volume; the rest of the file system can be read-only.
ENV VENUE_DATA_DIR=/data/data VENUE_HOME=/data/home NODE_ENV=production
USER 1000:1000
WORKDIR /data
VOLUME /data
# The first run may take hours.
HEALTHCHECK --interval=5m --timeout=1m --start-period=12h CMD ["venue", "status"]
CMD ["venue", "schedule"]
