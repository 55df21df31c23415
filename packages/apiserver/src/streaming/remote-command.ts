import { messageOf, parseJSON } from '@kubechain/apimachinery';
import type { SpdyClient, SpdyStream, SpdyStreamSink } from './spdy-client.ts';
import { ignoredSink } from './spdy-client.ts';

/** Protocols of commands in containers over SPDY, the best one first (apimachinery pkg/util/remotecommand, 1.36). */
export const remoteCommandProtocols: readonly string[] = [
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
  'v3.channel.k8s.io',
  'v2.channel.k8s.io',
  'channel.k8s.io',
];

/** Streams of a command that somebody wants. With a terminal there is no stderr. */
export interface CommandStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** What a command says. */
export interface CommandOutput {
  stdout(chunk: Buffer): void;
  stderr(chunk: Buffer): void;
}

/** A command whose streams are open. */
export interface RunningCommand {
  /** undefined without stdin. */
  readonly stdin: SpdyStream | undefined;
  /** Tells the terminal's size; undefined without a terminal, or where the protocol has no word for it. */
  readonly resize: SpdyStream | undefined;
  /** When it is over and everything it said has been handed on. */
  readonly outcome: Promise<CommandOutcome>;
}

/** How a command ended. */
export type CommandOutcome =
  | { readonly kind: 'success' }
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'error'; readonly text: string };

/**
 * Opens the streams of a command that a peer runs, each when the one before has been taken: the peer starts when it
 * has them all (client-go tools/remotecommand, 1.36). `protocol` is what the peer has chosen, '' for the first one.
 * @throws SpdyError
 */
export async function runCommand(
  connection: SpdyClient,
  {
    output,
    protocol,
    streams,
  }: { readonly output: CommandOutput; readonly protocol: string; readonly streams: CommandStreams },
): Promise<RunningCommand> {
  const version = Number(/^v(\d)\./.exec(protocol)?.[1] ?? 1);
  const open = (streamtype: string, sink: SpdyStreamSink): Promise<SpdyStream> =>
    connection.createStream({ streamtype }, sink);
  const errors = new Collector();
  const done: Promise<unknown>[] = [errors.text];
  const follow = async (type: 'stdout' | 'stderr'): Promise<void> => {
    let over = (): void => undefined;
    done.push(
      new Promise<void>((resolve) => {
        over = resolve;
      }),
    );
    await open(type, {
      data: (chunk) => {
        output[type](chunk);
      },
      end: () => {
        over();
      },
    });
  };
  await open('error', errors);
  const stdin = streams.stdin ? await open('stdin', ignoredSink) : undefined;
  if (streams.stdout) await follow('stdout');
  if (streams.stderr && !streams.tty) await follow('stderr');
  const resize = streams.tty && version >= 3 ? await open('resize', ignoredSink) : undefined;
  return { stdin, resize, outcome: Promise.all(done).then(async () => outcomeOf(await errors.text, version)) };
}

/** Everything that comes on a stream, as text. */
class Collector implements SpdyStreamSink {
  readonly text: Promise<string>;
  readonly #chunks: Buffer[] = [];
  #resolve: (text: string) => void = () => undefined;

  constructor() {
    this.text = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  data(chunk: Buffer): void {
    this.#chunks.push(Buffer.from(chunk));
  }
  end(): void {
    this.#resolve(Buffer.concat(this.#chunks).toString());
  }
}

interface ErrorStatus {
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly reason?: string; readonly message?: string }[] };
}

/** What the error stream says: nothing is success, newer peers send a Status, older ones text. */
function outcomeOf(text: string, version: number): CommandOutcome {
  if (text === '') return { kind: 'success' };
  if (version < 4)
    return { kind: 'error', text: `${version === 1 ? 'Error' : 'error'} executing remote command: ${text}` };
  let status: ErrorStatus;
  try {
    status = parseJSON(text) as ErrorStatus;
  } catch (error) {
    return {
      kind: 'error',
      text: `error stream protocol error: ${messageOf(error)} in ${JSON.stringify(text)}`,
    };
  }
  if (status.status === 'Success') return { kind: 'success' };
  if (status.status !== 'Failure') return { kind: 'error', text: 'error stream protocol error: unknown error' };
  return status.reason === 'NonZeroExitCode' ? exitOf(status) : { kind: 'error', text: status.message ?? '' };
}

function exitOf({ details }: ErrorStatus): CommandOutcome {
  if (details === undefined) return { kind: 'error', text: 'error stream protocol error: details must be set' };
  const cause = (details.causes ?? []).find(({ reason }) => reason === 'ExitCode');
  if (cause === undefined) return { kind: 'error', text: 'error stream protocol error: no ExitCode cause given' };
  const { message = '' } = cause;
  return /^\d+$/.test(message) && Number(message) <= 255
    ? { kind: 'exit', code: Number(message) }
    : { kind: 'error', text: `error stream protocol error: invalid exit code value ${JSON.stringify(message)}` };
}
