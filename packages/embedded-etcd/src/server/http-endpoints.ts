import type { IncomingMessage, ServerResponse } from 'node:http';
import { isFull } from '../methods/maintenance-methods.ts';
import { dataSize } from '../mvcc/data-file.ts';
import { ETCD_VERSION, STORAGE_VERSION } from '../maintenance/version.ts';
import type { ServerContext } from '../context/server-context.ts';

/** etcd's plain HTTP endpoints: `/health`, `/livez`, `/readyz`, `/version` and `/metrics`. */
export function httpEndpoints(context: ServerContext): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0];
    switch (path) {
      case '/health':
        if (isFull(context)) send(response, 'application/json', '{"health":"false","reason":"ALARM NOSPACE"}', 503);
        else send(response, 'application/json', '{"health":"true","reason":""}');
        return;
      case '/livez':
      case '/readyz':
        send(response, 'text/plain; charset=utf-8', 'ok\n');
        return;
      case '/version':
        send(response, 'application/json', `{"etcdserver":"${ETCD_VERSION}","etcdcluster":"${STORAGE_VERSION}"}`);
        return;
      case '/metrics':
        send(response, 'text/plain; version=0.0.4; charset=utf-8', metrics(context));
        return;
      default:
        response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
        response.end('404 page not found\n');
    }
  };
}

function send(response: ServerResponse, type: string, body: string, status = 200): void {
  response.writeHead(status, { 'content-type': type });
  response.end(body);
}

function metrics(context: ServerContext): string {
  const size = dataSize(context.database);
  const gauges: readonly (readonly [string, string, number])[] = [
    ['etcd_server_has_leader', 'Whether a leader exists: always, the store is its own.', 1],
    ['etcd_debugging_mvcc_keys_total', 'Keys of the present.', context.store.index.size],
    ['etcd_debugging_mvcc_current_revision', 'Newest revision.', context.store.revision],
    ['etcd_debugging_mvcc_compact_revision', 'Newest compacted revision.', context.store.compactRevision],
    ['etcd_debugging_mvcc_watcher_total', 'Open watches.', context.hub.watcherCount],
    ['etcd_debugging_mvcc_watch_stream_total', 'Open watch streams.', context.hub.streamCount],
    ['etcd_mvcc_db_total_size_in_bytes', 'Size of the data file.', size.total],
    ['etcd_mvcc_db_total_size_in_use_in_bytes', 'Bytes of the data file that hold data.', size.used],
    ['etcd_server_quota_backend_bytes', 'Bytes that may hold data.', context.quota.limitBytes],
    ['process_resident_memory_bytes', 'Resident memory of the process.', process.memoryUsage.rss()],
  ];
  return gauges
    .map(([name, help, value]) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`)
    .join('');
}
