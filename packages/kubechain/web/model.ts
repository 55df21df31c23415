import type { LoadMessage, OpenRequestsMessage, RequestMessage } from '@kubechain/apiserver/observe';
import type { ChainFacts, FeedMessage, ProcessState } from '../src/page/feed-messages.ts';

/** One request, as each process on its way saw it, by name of the process. */
export interface SeenRequest {
  readonly auditID: string;
  readonly parts: Map<string, RequestMessage>;
  /** When the page got to know it. */
  readonly atMs: number;
}

/** A second of a process, with when the page got it. */
export interface LoadPoint {
  readonly atMs: number;
  readonly load: LoadMessage;
}

/** Requests that are kept; the oldest go. */
const mostRequests = 1_000;
/** Of those, how many keep their objects. */
const mostObjects = 150;
/** Seconds that are kept for pictures: ten minutes. */
const mostPoints = 600;
/** How often the page is drawn, at most. */
const drawEveryMs = 200;

/** All that the page knows, bounded. Views ask it each time they are drawn. */
export class Model {
  facts: ChainFacts | undefined;
  processes: readonly ProcessState[] = [];
  readonly loads = new Map<string, LoadPoint[]>();
  /** Requests that processes have at the moment, by name of the process. */
  readonly #open = new Map<string, OpenRequestsMessage>();
  #heldOpen: ReadonlyMap<string, OpenRequestsMessage> = new Map();
  connected = false;
  #paused = false;
  /** Requests since the page was opened, told or not. */
  total = 0;
  #requests: SeenRequest[] = [];
  /** What is shown while it is paused. */
  #held: readonly SeenRequest[] = [];
  readonly #byID = new Map<string, SeenRequest>();
  readonly #listeners = new Set<() => void>();
  #drawing = false;

  /** Newest first. */
  get requests(): readonly SeenRequest[] {
    return this.#paused ? this.#held : this.#requests;
  }

  get open(): ReadonlyMap<string, OpenRequestsMessage> {
    return this.#paused ? this.#heldOpen : this.#open;
  }

  get paused(): boolean {
    return this.#paused;
  }

  pause(paused: boolean): void {
    this.#held = [...this.#requests];
    this.#heldOpen = new Map(this.#open);
    this.#paused = paused;
    this.changed();
  }

  find(auditID: string): SeenRequest | undefined {
    return this.#byID.get(auditID) ?? this.#held.find((request) => request.auditID === auditID);
  }

  /** The process that clients talk to. */
  get first(): string {
    return this.facts?.servers[0] ?? '';
  }

  take(message: FeedMessage): void {
    if (message.kind === 'processes') this.#takeProcesses(message.processes);
    else if (message.message.kind === 'open') this.#open.set(message.process, message.message);
    else if (message.message.kind === 'load') this.#takeLoad(message.process, message.message);
    else this.#takeRequest(message.process, message.message);
    this.changed();
  }

  clear(): void {
    this.#requests = [];
    this.#held = [];
    this.#byID.clear();
    this.changed();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(): void {
    if (this.#drawing) return;
    this.#drawing = true;
    setTimeout(() => {
      this.#drawing = false;
      for (const listener of this.#listeners) listener();
    }, drawEveryMs);
  }

  /** What a process had is over with it. */
  #takeProcesses(processes: readonly ProcessState[]): void {
    this.processes = processes;
    for (const { name, pid } of processes) if (pid === undefined) this.#open.delete(name);
  }

  #takeLoad(process: string, load: LoadMessage): void {
    const points = this.loads.get(process) ?? [];
    this.loads.set(process, points);
    points.push({ atMs: Date.now(), load });
    if (points.length > mostPoints) points.shift();
    if (process === this.first) for (const count of Object.values(load.ended)) this.total += count;
  }

  #takeRequest(process: string, message: RequestMessage): void {
    const known = this.#byID.get(message.auditID);
    if (known !== undefined) {
      known.parts.set(process, message);
      return;
    }
    const request = { auditID: message.auditID, parts: new Map([[process, message]]), atMs: Date.now() };
    this.#byID.set(message.auditID, request);
    this.#requests.unshift(request);
    const old = this.#requests[mostObjects];
    if (old !== undefined) forgetObjects(old);
    while (this.#requests.length > mostRequests) this.#byID.delete(this.#requests.pop()!.auditID);
  }
}

function forgetObjects({ parts }: SeenRequest): void {
  for (const [process, part] of parts) {
    if (part.observed === undefined || part.observed.changes.length + (part.observed.after?.length ?? 0) === 0)
      continue;
    const { after: _after, before: _before, ...observed } = part.observed;
    parts.set(process, { ...part, observed: { ...observed, changes: [] } });
  }
}

/** The part of the process that clients talk to, or whichever there is. */
export function frontOf(request: SeenRequest, first: string): RequestMessage {
  return request.parts.get(first) ?? request.parts.values().next().value!;
}

/** The part of the process that answered: the last one on the way. */
export function answerOf(request: SeenRequest, servers: readonly string[]): RequestMessage {
  const last = servers.findLast((name) => request.parts.has(name));
  return (last === undefined ? undefined : request.parts.get(last)) ?? request.parts.values().next().value!;
}

/** Listens until the page is gone; comes back by itself. */
export function followFeed(model: Model): void {
  const source = new EventSource('/feed');
  source.onopen = () => {
    model.connected = true;
    model.changed();
  };
  source.onerror = () => {
    model.connected = false;
    model.changed();
  };
  source.onmessage = ({ data }: MessageEvent<string>) => {
    model.take(JSON.parse(data) as FeedMessage);
  };
}
