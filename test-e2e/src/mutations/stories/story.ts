import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'yaml';
import { isPlainObject, messageOf } from '@kubechain/apimachinery';
import type { Answer, Client, Identity, WatchStream } from '../../harness/client.ts';
import type { Values } from '../values.ts';
import { Placeholders } from './placeholders.ts';
import type { WebhookListener } from './webhook-listener.ts';

/** A request of a story; placeholders in path, headers and body stand for what each server made up. */
export interface StoryRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  /** More headers, as those of impersonation. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whose token it is sent with; default: the administrator's. */
  readonly token?: string;
}

/** What both servers answered, with placeholders. */
export interface StoryAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Something that two servers said otherwise. */
export interface StoryDifference {
  readonly step: number;
  readonly request: StoryRequest;
  readonly reference: string;
  readonly own: string;
}

/** Thrown where two servers differ: what follows would be about different states. */
export class StoryEnded extends Error {
  readonly difference: StoryDifference;
  constructor(difference: StoryDifference) {
    super(`step ${difference.step} differs`);
    this.difference = difference;
  }
}

interface Side {
  readonly client: Client;
  readonly placeholders: Placeholders;
  readonly listener: WebhookListener | undefined;
}

/** What a story is told with. */
export interface StoryOptions {
  readonly namespace: string;
  readonly values: Values;
  /** The webhooks of each server, whose address is `<name:1>` in what is sent. */
  readonly listeners?: readonly WebhookListener[];
}

interface OpenWatch {
  readonly step: number;
  readonly request: StoryRequest;
  readonly streams: readonly WatchStream[];
}

const WATCHES_AGREE_WITHIN_MS = 5_000;
/** After both have the same events: whether one has more to say. */
const WATCHES_SILENT_MS = 150;
const LAYOUT_HEADERS = ['content-type', 'warning', 'allow', 'retry-after', 'location', 'audit-id'] as const;

/** One story, told to two servers at once. */
export class Story {
  readonly values: Values;
  readonly namespace: string;
  readonly steps: StoryRequest[] = [];
  readonly statuses = new Map<number, number>();
  readonly #sides: readonly Side[];
  readonly #watches: OpenWatch[] = [];

  constructor(clients: readonly Client[], { listeners = [], namespace, values }: StoryOptions) {
    this.#sides = clients.map((client, i) => {
      const listener = listeners[i];
      return { client, listener, placeholders: new Placeholders(listener === undefined ? [] : [listener.url]) };
    });
    this.values = values;
    this.namespace = namespace;
  }

  /** @throws StoryEnded where the answers differ */
  async send(request: StoryRequest): Promise<StoryAnswer> {
    this.steps.push(request);
    const answers = await Promise.all(this.#sides.map((side) => send(side, request)));
    const told = answers.map(inText);
    const [first, second] = told;
    const [answer] = answers;
    if (answer === undefined || first !== second)
      throw new StoryEnded({ step: this.steps.length, request, reference: first ?? '', own: second ?? '' });
    const asked = this.#sides.map(({ listener, placeholders }) =>
      (listener?.taken(this.namespace) ?? [])
        .map((review) => JSON.stringify(sorted(placeholders.named(review, '', 1))))
        .join('\n'),
    );
    const [reference = '', own = ''] = asked;
    if (reference !== own) throw new StoryEnded({ step: this.steps.length, request, reference, own });
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    return { status: answer.status, body: answer.body };
  }

  /** Asks until both answer what is waited for; what they say last is compared. */
  async until(request: StoryRequest, accept: (answer: StoryAnswer) => boolean): Promise<StoryAnswer> {
    const deadline = Date.now() + 20_000;
    for (;;) {
      // What is seen on the way is not named: one server may take more looks than the other.
      const answers = await Promise.all(this.#sides.map(({ client }) => client.call(request.method, request.path)));
      if (answers.every(accept) || Date.now() > deadline) return this.send(request);
      await wait(100);
    }
  }

  /** Opens a watch on both; what it tells is compared by {@link settle}. */
  async watch(request: StoryRequest): Promise<void> {
    const { headers = {}, path, token } = request;
    const streams = await Promise.allSettled(
      this.#sides.map(({ client, placeholders }) =>
        client.watch(placeholders.valued(path), {
          headers: { ...headers, accept: request.accept ?? 'application/json' },
          as: identityOf(token),
        }),
      ),
    );
    const open = streams.flatMap((stream) => (stream.status === 'fulfilled' ? [stream.value] : []));
    if (open.length === 0) {
      await this.send(request);
      return;
    }
    this.steps.push(request);
    if (open.length === 2) {
      this.#watches.push({ step: this.steps.length, request, streams: open });
      return;
    }
    const told = streams.map((stream) => (stream.status === 'fulfilled' ? 'opened' : String(stream.reason)));
    throw new StoryEnded({ step: this.steps.length, request, reference: told[0] ?? '', own: told[1] ?? '' });
  }

  /** Waits until the watches of both have told the same, and ends them. */
  async settle(): Promise<void> {
    try {
      for (const watch of this.#watches) await this.#compare(watch);
    } finally {
      this.close();
      this.#watches.length = 0;
    }
  }

  close(): void {
    for (const { streams } of this.#watches) for (const stream of streams) stream.close();
  }

  async #compare({ request, step, streams }: OpenWatch): Promise<void> {
    const deadline = Date.now() + WATCHES_AGREE_WITHIN_MS;
    const counts = (): readonly number[] => streams.map(({ events }) => events.filter(isTold).length);
    for (;;) {
      const [first, second] = counts();
      if (first === second) {
        await wait(WATCHES_SILENT_MS);
        const again = counts();
        if (again[0] === first && again[1] === second) break;
      }
      if (Date.now() > deadline) break;
      await wait(50);
    }
    const told = streams.map(({ events }, i) =>
      events
        .filter(isTold)
        .map((event) => (event.type === 'BOOKMARK' ? withoutRevision(event) : event))
        .map((event) => JSON.stringify(sorted(this.#sides[i]?.placeholders.named(event, '', 1))))
        .join('\n'),
    );
    const [reference = '', own = ''] = told;
    if (reference !== own) throw new StoryEnded({ step, request, reference, own });
  }
}

/** The revision of a bookmark is that of whatever was written last, by anybody. */
function withoutRevision(event: WatchStream['events'][number]): WatchStream['events'][number] {
  return JSON.parse(
    JSON.stringify(event).replace(/"resourceVersion":"\d+"/g, '"resourceVersion":"LAST"'),
  ) as WatchStream['events'][number];
}

/** Bookmarks come when they come, but for the one that ends the initial events. */
function isTold({ object, type }: WatchStream['events'][number]): boolean {
  return type !== 'BOOKMARK' || JSON.stringify(object).includes('initial-events-end');
}

function identityOf(token = 'admintoken'): Identity {
  return token === '' ? { kind: 'anonymous' } : { kind: 'token', token };
}

interface Said extends StoryAnswer {
  readonly layout: string;
}

async function send({ client, placeholders }: Side, request: StoryRequest): Promise<Said> {
  const { accept = 'application/json', body, contentType = 'application/json', headers = {}, token } = request;
  const asked = client.call(request.method, placeholders.valued(request.path), {
    as: identityOf(token),
    headers: { ...headers, accept, ...(body === undefined ? {} : { 'content-type': contentType }) },
    ...(body === undefined
      ? {}
      : { body: placeholders.valued(typeof body === 'string' ? body : JSON.stringify(body)) }),
  });
  // What panics hangs up.
  const answer = await asked.catch(messageOf);
  if (typeof answer === 'string') return { status: 0, body: answer, layout: '' };
  const { status } = answer;
  return { status, body: placeholders.named(read(answer)), layout: layoutOf(answer) };
}

function read({ body, headers, text }: Answer): unknown {
  return body ?? (headers['content-type'] === 'application/yaml' ? parse(text) : text);
}

function layoutOf({ headers }: Answer): string {
  return LAYOUT_HEADERS.map((name) => (name === 'audit-id' ? name in headers : String(headers[name] ?? ''))).join(' ');
}

function inText({ body, layout, status }: Said): string {
  const text = `${status} ${layout}\n${JSON.stringify(sorted(withoutOrderOfSchemas(body)))}`;
  // Go goes through maps in an order of chance, and applied objects are read up to the first unknown field of each.
  return text.replace(/(failed to create typed patch object [^:]*: ).*field not declared in schema/s, '$1unknown');
}

/** The reference goes through the properties of a custom object in an order of chance when it looks at its schema. */
function withoutOrderOfSchemas(body: unknown): unknown {
  if (!isPlainObject(body) || body['kind'] !== 'Status' || !isPlainObject(body['details'])) return body;
  const { causes } = body['details'];
  const texts: string[] = Array.isArray(causes) ? causes.map((cause) => JSON.stringify(sorted(cause))) : [];
  if (!texts.some((text) => text.includes(' in body '))) return body;
  const [message] = String(body['message']).split(': [', 1);
  return { ...body, message, details: { ...body['details'], causes: texts.sort() } };
}

/** Entries of one second stand in an order that tells of the second only. */
const IN_ANY_ORDER: ReadonlySet<string> = new Set(['managedFields', 'resourceRules', 'nonResourceRules']);

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => {
        const member = sorted(value[name]);
        return [
          name,
          IN_ANY_ORDER.has(name) && Array.isArray(member) ? member.map((item) => JSON.stringify(item)).sort() : member,
        ];
      }),
  );
}
