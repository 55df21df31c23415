import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, gzipSync } from 'node:zlib';
import { discoveryFeedPath } from '../endpoints/discovery/discovery-feed.ts';
import { checkMethod } from '../endpoints/discovery/serve-document.ts';
import { acceptsGzip } from '../endpoints/handlers/response/write-bytes.ts';
import { notFound } from './director.ts';
import { checkRouteAccept } from '../negotiation/route-accept.ts';
import { writeError } from '../responses/write-status.ts';
import { writeRawJSON } from '../responses/write-json.ts';
import { objectStatsPath } from '../request/object-stats-path.ts';
import { serverContext } from '../request/server-context.ts';
import { expositionContentType } from '../metrics/exposition-content-type.ts';
import { installDebugRoutes } from './debug-routes.ts';
import type { RoutedServer } from './routed-server.ts';
import { installZPages } from './z-pages.ts';

/**
 * Installs what every server answers: `/`, /version, /metrics, /statusz, /flagz, /debug (server/config.go installAPI).
 */
export function installRoutes(server: RoutedServer): void {
  const { nonResourceMux: mux, config } = server;
  installIndex(server);
  installVersion(server);
  installMetrics(server);
  installFeeds(server);
  installZPages(server);
  if (config.enableProfiling) mux.mount(['/debug/pprof', '/debug/'], installDebugRoutes, { listed: false });
}

/** The list of paths. */
function installIndex(server: RoutedServer): void {
  const index = (_request: unknown, response: Parameters<typeof writeRawJSON>[0]): void => {
    server.listedPaths().then(
      (paths) => {
        writeRawJSON(response, 200, { paths });
      },
      () => {
        writeRawJSON(response, 500, { paths: [] });
      },
    );
  };
  server.nonResourceMux.handle('/', index, { listed: false });
  server.nonResourceMux.handle('/index.html', index, { listed: false });
}

function installVersion({ config, nonResourceMux: mux }: RoutedServer): void {
  mux.handle(
    '/version',
    (request, response) => {
      try {
        checkMethod(request);
        checkRouteAccept(request.headers.accept, ['application/json']);
        writeRawJSON(response, 200, config.version);
      } catch (error) {
        writeError(request, response, error);
      }
    },
    { trailingSlash: true },
  );
  // A service of the reference's router, which answers for the paths below it.
  mux.handlePrefix(
    '/version/',
    (request, response) => {
      writeError(request, response, notFound);
    },
    { listed: false },
  );
}

/** Ms that the servers behind this one get for their metrics. */
const metricsTimeoutMs = 5_000;

function installMetrics(server: RoutedServer): void {
  server.nonResourceMux.mount(['/metrics', '/metrics/slis'], (app) => {
    app.use('/metrics/slis', async (request, response) => {
      sendMetrics(request, response, await server.serviceLevelMetrics());
    });
    app.use('/metrics', async (request, response) => {
      sendMetrics(request, response, await server.metrics(AbortSignal.timeout(metricsTimeoutMs)));
    });
  });
}

/** What the server in front asks for: discovery as it changes, and object counts. */
function installFeeds(server: RoutedServer): void {
  const { nonResourceMux: mux } = server;
  mux.handle(
    discoveryFeedPath,
    (request, response) => {
      server.discoveryFeed.serve(request, response, serverContext(request).signal);
    },
    { listed: false },
  );
  mux.handle(
    objectStatsPath,
    (request, response) => {
      server.objectStats(serverContext(request).signal).then(
        (stats) => {
          writeRawJSON(response, 200, [...stats]);
        },
        (error: unknown) => {
          writeError(request, response, error);
        },
      );
    },
    { listed: false },
  );
}

function sendMetrics(request: IncomingMessage, response: ServerResponse, text: string): void {
  const compressed = acceptsGzip(request);
  const body = compressed ? gzipSync(text, { level: constants.Z_BEST_SPEED }) : Buffer.from(text);
  response.setHeader('Content-Type', expositionContentType);
  response.setHeader('Process-Start-Time-Unix', Math.floor(performance.timeOrigin / 1000));
  // Whatever the size, as the reference does; a scrape is some 100 KiB of very regular text.
  if (compressed) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Length', body.length);
  response.writeHead(200);
  response.end(body);
}
