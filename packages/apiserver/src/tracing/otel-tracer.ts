import {
  defaultTextMapGetter,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { withoutSpan } from '@kubechain/shared-storage/tracing';
import type { RequestInfo } from '../request/request-context.ts';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import { RecordedSpan, RequestSpans } from './otel-span.ts';
import type { RequestOrigin, RequestTracer } from './request-tracer.ts';
import { protocolOf } from './traced-handler.ts';

/** Says that the process in front traces the request, and that `traceparent` is its own. */
const tracedHeader = 'x-kubechain-traced';
/** Groups whose word on traces is taken (filters/traces.go, 1.36). */
const trustedGroups: ReadonlySet<string> = new Set(['system:masters', 'system:monitoring']);
const perMillion = 1_000_000;

export interface OTelTracerOptions {
  readonly exporter: SpanExporter;
  /** Of requests about which nobody in front has decided; 0: none of these. */
  readonly samplingRatePerMillion: number;
  /** Of the process (service.instance.id), and which of the servers it is. */
  readonly instanceID: string;
  readonly server: string;
}

/** Traces requests with OpenTelemetry's SDK, and sampled as kube-apiserver does: by what the parent says, else by rate. */
export class OTelTracer implements RequestTracer {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #propagator = new W3CTraceContextPropagator();
  readonly #requests = new WeakMap<ServerRequestContext, { readonly spans: RequestSpans; readonly span: Span }>();

  constructor({ exporter, instanceID, samplingRatePerMillion: rate, server }: OTelTracerOptions) {
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({
        'service.name': 'apiserver',
        'service.instance.id': instanceID,
        'kubechain.server': server,
      }),
      sampler: new ParentBasedSampler({
        root: rate > 0 ? new TraceIdRatioBasedSampler(rate / perMillion) : new AlwaysOffSampler(),
      }),
      // Its timers are begun by whichever request ends first.
      spanProcessors: [withoutSpan(() => new BatchSpanProcessor({ exporter }))],
    });
    this.#tracer = this.#provider.getTracer('kubechain');
  }

  begin(context: ServerRequestContext, origin: RequestOrigin): void {
    const parent = this.#parentOf(context);
    const trusted = parent !== undefined && isTrusted(context, origin);
    const spans = new RequestSpans(this.#tracer);
    const { request, requestInfo: info } = context;
    const span = this.#tracer.startSpan(
      `${request.method ?? 'GET'}${info.isResourceRequest ? ` ${pathOf(info)}` : ''}`,
      {
        kind: SpanKind.SERVER,
        startTime: context.startedAt,
        ...(parent === undefined || trusted ? {} : { links: [{ context: parent }] }),
        attributes: {
          'http.request.method': request.method ?? 'GET',
          'http.target': request.url ?? '',
          'url.path': info.path,
          'url.scheme': 'https',
          'server.address': request.headers.host ?? '',
          'user_agent.original': request.headers['user-agent'] ?? '',
          'network.protocol.version': protocolOf(request).slice('HTTP/'.length),
          'audit-id': context.auditID,
        },
      },
      parent !== undefined && trusted ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
    );
    this.#requests.set(context, { spans, span });
    const root = new RecordedSpan(spans, span, ROOT_CONTEXT);
    context.span = root;
    if (origin === 'client') root.child('authentication', { startedAt: context.startedAt }).end();
  }

  readonly ended = (context: ServerRequestContext): void => {
    const traced = this.#requests.get(context);
    if (traced === undefined) return;
    const { statusCode } = context.response;
    traced.span.setAttribute('http.response.status_code', statusCode);
    if (statusCode >= 500) traced.span.setStatus({ code: SpanStatusCode.ERROR });
    traced.spans.finish();
  };

  /** Sends what is left. */
  async close(): Promise<void> {
    await this.#provider.shutdown();
  }

  #parentOf({ request }: ServerRequestContext): SpanContext | undefined {
    if (request.headers['traceparent'] === undefined) return undefined;
    const extracted = this.#propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
    const parent = trace.getSpanContext(extracted);
    return parent !== undefined && isSpanContextValid(parent) ? parent : undefined;
  }
}

/** Strangers could have everything traced that they do, or fill somebody else's trace. */
function isTrusted({ request, user }: ServerRequestContext, origin: RequestOrigin): boolean {
  if (origin === 'hop' && request.headers[tracedHeader] !== undefined) return true;
  return user.groups.some((group) => trustedGroups.has(group));
}

/** getSpanNameFromRequestInfo (filters/traces.go, 1.36). */
function pathOf({ apiGroup, apiPrefix, apiVersion, name, namespace, resource, subresource }: RequestInfo): string {
  return [
    `/${apiPrefix}`,
    ...(apiGroup === '' ? [] : [apiGroup]),
    apiVersion,
    ...(namespace === '' ? [] : ['namespaces', '{:namespace}']),
    resource,
    ...(name === '' ? [] : ['{:name}']),
    ...(subresource === '' ? [] : [subresource]),
  ].join('/');
}
