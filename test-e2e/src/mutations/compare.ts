import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '@kubechain/apimachinery';
import type { Answer, Client } from '../harness/client.ts';
import type { Encoding } from './encodings.ts';
import type { TrialRequest } from './requests.ts';
import { told } from './told.ts';

const WORKERS = 6;
const PROGRESS_EVERY_MS = 30_000;
/** A server may hang up between two requests; nothing that is sent changes anything, so that it is sent again. */
const TRIES = 3;
/**
 * How often the reference is asked again where the two differ. Go goes through maps in an order of chance, so that the
 * first mistake of several is another one each time: what the reference answers too, now or then, is no difference.
 */
const CHANCES = 24;

/** A request that two servers answer in different words. */
export interface Difference {
  readonly kind: string;
  readonly request: TrialRequest;
  readonly reference: string;
  readonly own: string | undefined;
}

/** What was compared so far. */
export interface Totals {
  readonly compared: number;
  readonly differences: number;
  /** Requests that the reference never answered, as where its handlers panic: nothing to compare with. */
  readonly unanswered: number;
  /** Requests to which the reference itself answers one way or another, among others that of the server beside it. */
  readonly byChance: number;
  /** How often the reference answered with each status. */
  readonly statuses: ReadonlyMap<string, number>;
}

/** When comparing ends, and whom it tells what. */
export interface CompareOptions {
  readonly count: number;
  /** Ends it early, after the requests that are under way. */
  readonly signal: AbortSignal;
  /** What requests are sent as, and their answers asked for as. */
  readonly encoding: Encoding;
  /** One try waits no longer than this for its answer. */
  readonly answerWithinMs: number;
  readonly onDifference: (difference: Difference) => void;
  readonly onProgress: (totals: Totals) => void;
}

/** Sends each request to the reference and to the server beside it, some at a time, and compares what both say. */
export async function compareAll(
  [reference, own]: readonly [Pick<Client, 'call'>, Pick<Client, 'call'>],
  next: () => { readonly kind: string; readonly request: TrialRequest },
  options: CompareOptions,
): Promise<Totals> {
  const { count, signal } = options;
  const statuses = new Map<string, number>();
  const totals = { compared: 0, differences: 0, unanswered: 0, byChance: 0, statuses };
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < count && !signal.aborted) {
      begun++;
      const { kind, request } = next();
      const [wanted, got] = await Promise.all([answerOf(reference, request, options), answerOf(own, request, options)]);
      // Of what it works on for longer than a minute it does not say what it makes of it either.
      if (wanted === undefined || wanted.startsWith('504')) {
        totals.unanswered++;
        continue;
      }
      totals.compared++;
      const status = wanted.slice(0, 3);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (wanted === got) continue;
      if (await isAnsweredAtTimes(reference, request, { ...options, got })) {
        totals.byChance++;
        continue;
      }
      totals.differences++;
      options.onDifference({ kind, request, reference: wanted, own: got });
    }
  };
  const progress = setInterval(() => options.onProgress(totals), PROGRESS_EVERY_MS);
  try {
    await Promise.all(Array.from({ length: WORKERS }, work));
  } finally {
    clearInterval(progress);
  }
  return totals;
}

type AnswerOptions = Pick<CompareOptions, 'answerWithinMs' | 'encoding'>;

/** What cannot be read is no missing answer. */
function toldAs(encoding: Encoding, answer: Answer): string {
  const contentType = answer.headers['content-type'] ?? '';
  try {
    return `${told(encoding.read(answer))}\n${contentType}\n${layoutOf(answer)}`;
  } catch (error) {
    const bytes = answer.bytes.toString('base64');
    return `${answer.status}\n${contentType} that cannot be read: ${messageOf(error)}\n${bytes}`;
  }
}

const LAYOUT_HEADERS = ['allow', 'cache-control', 'retry-after', 'x-content-type-options'];

/** How an answer is written, and the headers that hardly any answer has otherwise. */
function layoutOf({ headers, text }: Answer): string {
  const some = LAYOUT_HEADERS.map((name) => String(headers[name] ?? ''));
  const isIndented = text.startsWith('{\n');
  return JSON.stringify([...some, isIndented, text.endsWith('\n')]);
}

/** Whether the reference, asked again, gives the answer that it did not give at first. */
async function isAnsweredAtTimes(
  reference: Pick<Client, 'call'>,
  request: TrialRequest,
  { got, ...options }: AnswerOptions & { readonly got: string | undefined },
): Promise<boolean> {
  if (got === undefined) return false;
  for (let left = CHANCES; left > 0; left--) if ((await answerOf(reference, request, options)) === got) return true;
  return false;
}

function sentAs(encoding: Encoding, request: TrialRequest): ReturnType<Encoding['encode']> {
  if (request.base64 === undefined && request.headers === undefined) return encoding.encode(request);
  const { base64, body, contentType } = request;
  return { contentType, body: base64 === undefined ? body : Buffer.from(base64, 'base64') };
}

/** What a server answers; undefined where it hangs up or is silent each time. */
async function answerOf(
  client: Pick<Client, 'call'>,
  request: TrialRequest,
  { answerWithinMs, encoding }: AnswerOptions,
): Promise<string | undefined> {
  const { body, contentType } = sentAs(encoding, request);
  const headers = { accept: encoding.accept, 'content-type': contentType, ...request.headers };
  const options = body.length === 0 && contentType === '' ? { headers: request.headers ?? {} } : { body, headers };
  for (let left = TRIES; left > 0; left--) {
    const answered = new AbortController();
    try {
      return toldAs(
        encoding,
        await Promise.race([
          client.call(request.method, request.path, options),
          // The client's own limit begins anew with each byte, and only once there is a connection.
          wait<Answer>(answerWithinMs, undefined, { signal: answered.signal }).then(() => {
            throw new Error('no answer in time');
          }),
        ]),
      );
    } catch {
      // Once more.
    } finally {
      answered.abort();
    }
  }
  return undefined;
}

/** For a line of text. */
export function inWords({ byChance, compared, differences, statuses, unanswered }: Totals): string {
  const counts = [...statuses]
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([status, count]) => `${count} × ${status}`);
  const left = unanswered === 0 ? '' : `, ${unanswered} without an answer of the reference`;
  const chance = byChance === 0 ? '' : `, ${byChance} by chance one way or another by the reference itself`;
  return `${compared} requests compared (${counts.join(', ')})${left}${chance}, ${differences} answered otherwise`;
}
