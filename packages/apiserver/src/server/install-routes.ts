import { discoveryFeedPath } from '../endpoints/discovery/discovery-feed.ts';
import { writeError } from '../endpoints/responses/write-status.ts';
import { writeRawJSON } from '../endpoints/responses/write-json.ts';
import { expositionContentType, expositionText } from '../metrics/exposition.ts';
import { registerProcessMetrics } from '../metrics/process-metrics.ts';
import { installDebugRoutes } from './debug-routes.ts';
import type { GenericAPIServer } from './generic-api-server.ts';
import { registerServingMetrics } from './secure-serving.ts';

/** Installs what every server answers: `/`, /version, /metrics, /debug (server/config.go installAPI). */
export function installRoutes(server: GenericAPIServer): void {
  const { nonResourceMux: mux, config } = server;
  registerProcessMetrics();
  registerServingMetrics();
  const index = (_request: unknown, response: Parameters<typeof writeRawJSON>[0]): void => {
    server.listedPaths().then((paths) => { writeRawJSON(response, 200, { paths }); }, () => { writeRawJSON(response, 500, { paths: [] }); });
  };
  mux.handle('/', index, { listed: false });
  mux.handle('/index.html', index, { listed: false });
  mux.handle('/version', (_request, response) => { writeRawJSON(response, 200, config.version); }, { trailingSlash: true });
  for (const path of ['/metrics', '/metrics/slis']) {
    mux.handle(path, (request, response) => {
      expositionText().then((text) => {
        const body = Buffer.from(text);
        response.setHeader('Content-Type', expositionContentType);
        response.setHeader('Content-Length', body.length);
        response.writeHead(200);
        response.end(body);
      }).catch((error: unknown) => { writeError(request, response, error); });
    });
  }
  mux.handle(discoveryFeedPath, (request, response) => { server.discoveryFeed.serve(request, response); }, { listed: false });
  if (config.enableProfiling) installDebugRoutes(mux);
}
