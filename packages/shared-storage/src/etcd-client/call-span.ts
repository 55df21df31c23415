import { activeSpan } from '../tracing/span.ts';
import type { Span } from '../tracing/span.ts';

/** The step of a traced request that a call is, as otelgrpc tells it; undefined where the request is not traced. */
export function callSpan(path: string): Span | undefined {
  const span = activeSpan();
  if (span === undefined) return undefined;
  const [, service = '', method = ''] = path.split('/');
  return span.child(path.slice(1), {
    kind: 'client',
    attributes: { 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method },
  });
}
