import type { WebhookCall } from '../peers/webhook-calls.ts';
import type { ObservedDecision } from '../request/request-observation.ts';
import { decisionOf, flowOf } from '../request/request-outcome.ts';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import { BodyRecorder, type JournalBodies } from './body-recorder.ts';

/** One request that has ended; with its bodies where they were recorded and are asked for. */
export interface JournalEntry extends JournalBodies {
  /** Grows by one from request to request, in the order of their ends. */
  readonly id: number;
  /** RFC 3339. */
  readonly receivedAt: string;
  readonly durationMs: number;
  readonly user: string;
  readonly impersonator?: string;
  readonly userAgent: string;
  /** Of HTTP. */
  readonly method: string;
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  /** With its subresource: `deployments/status`; '' for paths that are no resources. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uri: string;
  /** Of the answer; 0 for one that was never begun. */
  readonly code: number;
  /** False when the client did not get the whole answer. */
  readonly complete: boolean;
  /** Server that the request was handed to; '' for what the first answered itself. */
  readonly server: string;
  readonly auditID: string;
  /** How long flow control kept it waiting. */
  readonly queuedMs: number;
  /** `Allow`, or `Deny` or `NoOpinion` of what was refused, and why: for RBAC the binding and its role. */
  readonly decision?: ObservedDecision;
  /** Names of what flow control put it into; '' where it was not asked. */
  readonly flowSchema: string;
  readonly priorityLevel: string;
  /** Id of the fault that happened to it. */
  readonly fault?: string;
  /** Admission webhooks that were called for it, in the order in which they ended. */
  readonly webhooks?: readonly JournalWebhook[];
}

/** A call of a webhook for a request. */
export type JournalWebhook = Omit<WebhookCall, 'auditID'>;

/** What is looked for in a journal; all of what is given must fit. */
export interface JournalQuery {
  /** Entries after this id. */
  readonly since?: number;
  readonly verbs?: readonly string[];
  /** `deployments`, `deployments/status`, `deployments.apps/status`. */
  readonly resources?: readonly string[];
  readonly users?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly names?: readonly string[];
  readonly userAgents?: readonly string[];
  readonly codes?: readonly number[];
  /** Whether entries have their bodies. Default false. */
  readonly bodies?: boolean;
}

/** Entries that are kept; the oldest go. */
const mostEntries = 20_000;
/** Requests under way whose webhooks are kept. */
const mostOpen = 10_000;

/** What was asked, by whom, and what came of it: the last 20,000 requests. */
export class Journal {
  readonly bodies = new BodyRecorder();
  readonly #timed: boolean;
  /** A ring: entry `id` is at `(id - 1) % mostEntries`. */
  readonly #entries: JournalEntry[] = [];
  #lastID = 0;
  readonly #waiting = new Set<() => void>();
  /** Of requests that have not ended, by their audit ids. */
  readonly #webhooks = new Map<string, JournalWebhook[]>();

  /** @param options `timed`: false where a run is to be repeated: then nothing has taken any time */
  constructor({ timed = true }: { readonly timed?: boolean } = {}) {
    this.#timed = timed;
  }

  /** The id of the newest entry: what comes after it is `since` this mark. */
  get mark(): number {
    return this.#lastID;
  }

  /** A webhook was called for a request that has not ended. */
  noteWebhook({ auditID, ...call }: WebhookCall): void {
    const calls = this.#webhooks.get(auditID) ?? [];
    calls.push({ ...call, durationMs: this.#tookMs(call.durationMs) });
    this.#webhooks.set(auditID, calls);
    // Of requests that nobody has told the end of.
    if (this.#webhooks.size > mostOpen) this.#webhooks.delete(this.#webhooks.keys().next().value as string);
  }

  /** To be told of each request when its response has closed. */
  readonly record = (context: ServerRequestContext, durationMs: number): void => {
    const { request, requestInfo, response } = context;
    const id = ++this.#lastID;
    const webhooks = this.#webhooks.get(context.auditID);
    if (webhooks !== undefined) this.#webhooks.delete(context.auditID);
    this.#entries[(id - 1) % mostEntries] = {
      id,
      receivedAt: new Date(context.receivedAtMs).toISOString(),
      durationMs: this.#tookMs(durationMs),
      user: context.user.name,
      ...(context.impersonator === undefined ? {} : { impersonator: context.impersonator.name }),
      userAgent: request.headers['user-agent'] ?? '',
      method: request.method ?? '',
      verb: requestInfo.verb,
      group: requestInfo.apiGroup,
      version: requestInfo.apiVersion,
      resource:
        requestInfo.subresource === '' ? requestInfo.resource : `${requestInfo.resource}/${requestInfo.subresource}`,
      namespace: requestInfo.namespace,
      name: requestInfo.name,
      uri: request.url ?? '',
      code: response.headersSent ? response.statusCode : 0,
      complete: response.writableFinished,
      server: context.delegate,
      auditID: context.auditID,
      queuedMs: this.#timed ? context.queuedMs : 0,
      ...decisionOf(context),
      ...flowOf(context),
      ...(context.fault?.id === undefined ? {} : { fault: context.fault.id }),
      ...(webhooks === undefined ? {} : { webhooks }),
    };
    this.bodies.end(context, id);
    if (this.#waiting.size === 0) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  };

  #tookMs(durationMs: number): number {
    return this.#timed ? Math.round(durationMs * 1_000) / 1_000 : 0;
  }

  /** Those that fit, oldest first. */
  find(query: JournalQuery = {}): JournalEntry[] {
    const oldest = Math.max(1, this.#lastID - mostEntries + 1);
    const found: JournalEntry[] = [];
    for (let id = Math.max(oldest, (query.since ?? 0) + 1); id <= this.#lastID; id++) {
      const entry = this.#entries[(id - 1) % mostEntries] as JournalEntry;
      if (fits(query, entry)) found.push(query.bodies === true ? { ...entry, ...this.bodies.of(id) } : entry);
    }
    return found;
  }

  /** Resolves with the next entry, or when `signal` aborts. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}

function fits(query: JournalQuery, entry: JournalEntry): boolean {
  return (
    oneOf(query.verbs, entry.verb) &&
    oneOf(query.users, entry.user) &&
    oneOf(query.namespaces, entry.namespace) &&
    oneOf(query.names, entry.name) &&
    (query.userAgents === undefined || query.userAgents.some((start) => entry.userAgent.startsWith(start))) &&
    (query.codes === undefined || query.codes.includes(entry.code)) &&
    (query.resources === undefined || query.resources.some((wanted) => isResource(wanted, entry)))
  );
}

function oneOf(wanted: readonly string[] | undefined, value: string): boolean {
  return wanted === undefined || wanted.includes(value);
}

function isResource(wanted: string, { group, resource }: JournalEntry): boolean {
  if (wanted === resource) return true;
  const [name = '', subresource] = resource.split('/', 2);
  const full = group === '' ? name : `${name}.${group}`;
  return wanted === (subresource === undefined ? full : `${full}/${subresource}`);
}
