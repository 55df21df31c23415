import type { Timer } from '@kubechain/apimachinery';
import { isInternalError, isResourceExpired, isTimeout } from '@kubechain/apimachinery';
import type { IncomingMessage } from 'node:http';
import { parseBareResourceVersion } from '@kubechain/shared-storage';
import { RegistryError } from '../../registry/registry-error.ts';
import { selectionPredicate } from '../../registry/rest/selection-predicate.ts';
import { scopeOf } from '../../metrics/request-scope-label.ts';
import { streamNotAcceptable } from '../../negotiation/errors.ts';
import { negotiateOutput } from '../../negotiation/negotiate.ts';
import type { RequestContext } from '../../request/request-context.ts';
import type { ResourceHandler, UpgradeHandler } from '../route.ts';
import { beginAnswer } from './exchange.ts';
import { listParameters } from './parameters/list-options.ts';
import { shardOf } from './parameters/shard-of.ts';
import { includeObjectOption } from './parameters/table-options.ts';
import type { RequestScope } from './request-scope.ts';
import { RequestRESTContext } from './rest-context.ts';
import { createEventEncoder } from './watch/create-event-encoder.ts';
import { ResponseAnswer, WebSocketAnswer, type WatchAnswer } from './watch/watch-answer.ts';
import { WatchResponse } from './watch/watch-response.ts';
import { watchTerminated } from './watch/watch-termination.ts';
import { watchTimeoutMs } from './watch/watch-timeout.ts';

/** GET with `watch=true`, and the deprecated paths under /watch/ (handlers/get.go, handlers/watch.go). */
export function watchHandler(scope: RequestScope): ResourceHandler {
  return (request, response, context) => serveWatch(scope, { request, context, answer: new ResponseAnswer(response) });
}

/** The same over a WebSocket. */
export function watchUpgradeHandler(scope: RequestScope): UpgradeHandler {
  return (request, socket, head, context) =>
    serveWatch(scope, { request, context, answer: new WebSocketAnswer(request, socket, head) });
}

interface WatchExchange {
  readonly request: IncomingMessage;
  readonly context: RequestContext;
  readonly answer: WatchAnswer;
}

async function serveWatch(scope: RequestScope, { request, context, answer }: WatchExchange): Promise<void> {
  const { storage } = scope;
  if (storage.watch === undefined) throw new RegistryError('storage cannot watch');
  beginAnswer(scope, request, context, scope.listProduces);
  const output = negotiateOutput(request.headers.accept, scope.offer);
  const { name } = context.requestInfo;
  const parameters = listParameters(context.query, { storage, version: scope.kind.version, forceWatch: true, name });
  const timeoutMs = watchTimeoutMs(parameters.timeoutSeconds, scope.minRequestTimeoutMs, scope.random);
  const { streamName } = output.mediaType;
  // Where a watch begins is read before what it is sent as.
  if (streamName === undefined || output.convert?.kind === 'Table')
    parseBareResourceVersion(parameters.resourceVersion);
  if (streamName === undefined) throw streamNotAcceptable(scope.offer.mediaTypes);
  const includeObject = output.convert?.kind === 'Table' ? includeObjectOption(context.query) : 'Metadata';
  const encoder = createEventEncoder(scope, {
    output,
    includeObject,
    turns: scope.work.turns(context),
    sharedTurns: scope.work.serverTurns,
  });

  let timer: Timer | undefined;
  const metrics = scope.watchMetrics;
  let events = 0;
  const sink = new WatchResponse(answer.frames, encoder, {
    sent: (bytes, event) => {
      events++;
      metrics.sent(bytes);
      if (event.type !== 'BOOKMARK' || !event.initialEventsEnd) return;
      serving?.event('Writing initial events done');
      serving?.end();
      // The step of the initial events, which is around the handler.
      context.span?.end();
      metrics.listed(scopeOf(context), (scope.clock.now() - context.receivedAtMs) / 1_000);
      context.watchInitialized?.();
    },
    finished: (reason) => {
      timer?.cancel();
      watchTerminated(reason, { context, metrics, events, nowMs: scope.clock.now() });
    },
  });
  const serving = context.span?.child('WatchServer.HandleHTTP', {
    attributes: {
      'audit-id': context.auditID,
      method: request.method ?? 'GET',
      url: context.requestInfo.path,
      protocol: `HTTP/${request.httpVersion}`,
      mediaType: streamName,
      encoder: output.mediaType.format,
    },
  });
  // Events may come before the watch is known to be established.
  answer.prepare(output.mediaType);
  // Its time passes while the store does not answer, too.
  if (timeoutMs > 0)
    timer = scope.clock.setTimer(() => {
      answer.begin();
      sink.finish({ kind: 'timeout' });
    }, timeoutMs);
  try {
    const pending = storage.watch(
      new RequestRESTContext(context),
      {
        predicate: selectionPredicate(parameters.label, parameters.field, shardOf(scope, parameters)),
        resourceVersion: parameters.resourceVersion,
        allowWatchBookmarks: parameters.allowWatchBookmarks,
        deadlineMs: timeoutMs === 0 ? Infinity : scope.clock.now() + timeoutMs,
        ...(parameters.sendInitialEvents === undefined ? {} : { sendInitialEvents: parameters.sendInitialEvents }),
        ...(name === '' ? {} : { name }),
      },
      sink,
    );
    const watch = await pending;
    answer.begin();
    serving?.event('About to start writing response');
    sink.attach(watch);
    // Those that asked for initial events tell by the bookmark after them; of others the source has handed on what
    // there was.
    if (parameters.sendInitialEvents !== true || !parameters.allowWatchBookmarks) context.watchInitialized?.();
  } catch (error) {
    serving?.end(error);
    // A revision that is gone, or not there yet, and a store that does not answer end the stream, not the request:
    // clients look for it there.
    if (answer.begun || isResourceExpired(error) || isTimeout(error) || isInternalError(error)) {
      sink.event({ type: 'ERROR', error: error as Error });
      return;
    }
    timer?.cancel();
    sink.refused();
    throw error;
  }
}
