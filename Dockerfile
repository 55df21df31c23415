# The programs of the chain in one image: /kubechain/dist/{etcd,aggregator,kube-apiserver,apiextensions,controllers}.mjs,
# and the sources that they were made of, to debug them. Which one runs, and how, is said by whoever runs it
# (helm/kubechain).
#
#   docker build -t kubechain:0.1.0 .
#   docker build -t kubechain:0.1.0 --build-arg BASE=gcr.io/distroless/nodejs24-debian12 .      without a shell
#   docker buildx build -t NAME --platform linux/amd64,linux/arm64 --push .                     of several architectures
ARG BASE=node:24-slim

# What comes of it is the same for every architecture, so it is made on the builder's own.
FROM --platform=$BUILDPLATFORM node:24-slim AS build
WORKDIR /kubechain
COPY package.json package-lock.json .npmrc ./
COPY packages ./packages
# Nothing has to run after an installation; what runs the programs is the image's own Node. Of sources and
# packages stays what the programs load, with the names and licenses of packages.
RUN npm ci --ignore-scripts --no-audit --no-fund \
 && node packages/kubechain/scripts/package/image.ts dist loaded.txt \
 && npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
 && rm -rf node_modules/.cache node_modules/.bin \
 && npm pkg delete devDependencies \
 && npm sbom --sbom-format=cyclonedx > sbom.cdx.json \
 && find node_modules packages -type f -not -name package.json -not -iname 'licen[cs]e*' -not -iname 'notice*' \
      -not -path 'packages/kubechain/bin/*' \
      | grep -vxFf loaded.txt | tr '\n' '\0' | xargs -0 rm -f \
 && find node_modules packages -type d -empty -delete \
 && mkdir data && touch data/.keep

FROM $BASE
LABEL org.opencontainers.image.title="kubechain" \
      org.opencontainers.image.description="A Kubernetes API server as three chained processes" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="Apache-2.0"
# Where distroless images have Node; the others have it on the path.
ENV PATH=/nodejs/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    NODE_ENV=production KUBECHAIN_BUNDLE=/kubechain/dist
# The C library keeps memory for each thread: of what is freed, 2 to 3 MB in each process. All
# threads take it of one place here, which gives 1 MB of each process back. What Node keeps of programs that it has compiled goes with the container, and
# takes 1 to 3 MB of each process.
ENV MALLOC_ARENA_MAX=1 NODE_DISABLE_COMPILE_CACHE=1
WORKDIR /kubechain
COPY --from=build /kubechain/package.json /kubechain/sbom.cdx.json ./
COPY --from=build /kubechain/node_modules ./node_modules
COPY --from=build /kubechain/packages ./packages
COPY --from=build /kubechain/dist ./dist
# A volume that is new has the owner of what it is put over.
COPY --from=build --chown=1000:1000 /kubechain/data /data
VOLUME /data
# The user `node` of the base image, as numbers: Kubernetes cannot tell that a name is not root.
USER 1000:1000
# By itself the image runs the whole chain in one container: docker run --rm -p 6443:6443 kubechain:0.1.0
EXPOSE 6443
HEALTHCHECK --interval=10s --start-period=20s CMD ["node", "packages/kubechain/bin/kubechain.js", "status", "--data-dir", "/data"]
# Bases have different ones.
ENTRYPOINT []
# Its garbage is collected when it is at rest, as that of the processes that it starts.
CMD ["node", "--expose-gc", "packages/kubechain/bin/kubechain.js", "up", "--logs", "--data-dir", "/data", "--bind-address", "0.0.0.0"]
