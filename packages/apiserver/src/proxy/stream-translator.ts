import type { Status } from '@kubechain/apimachinery';
import { internalError, messageOf } from '@kubechain/apimachinery';
import type { RequestContext } from '../request/request-context.ts';
import type { ConnectExchange } from '../registry/rest/storage.ts';
import { CommandChannels, type ChannelSinks } from '../streaming/command-channels.ts';
import {
  remoteCommandProtocols,
  runCommand,
  type CommandOutcome,
  type CommandStreams,
  type RunningCommand,
} from '../streaming/remote-command.ts';
import type { Backend } from './backend.ts';
import { ExchangeEnd } from './exchange-end.ts';
import { openSpdy, type OpenedSpdy } from './open-spdy.ts';

/**
 * Serves a command in a container to a client that speaks WebSocket, over SPDY to a kubelet that does not: the streams
 * become channels of one WebSocket, and how the command ended is a Status on the channel for errors
 * (apiserver pkg/util/proxy StreamTranslatorHandler, 1.36). Answers the handshake; resolves when all is over.
 */
export async function translateStreams(
  context: RequestContext,
  exchange: Extract<ConnectExchange, { kind: 'upgrade' }>,
  { backend, streams }: { readonly backend: Backend; readonly streams: CommandStreams },
): Promise<void> {
  const channels = CommandChannels.accept(exchange, streams);
  if (channels === undefined) return;
  const end = new ExchangeEnd(context, backend.upgradeCounts);
  const { signal } = context;
  let opened: OpenedSpdy | undefined;
  try {
    opened = await openSpdy(backend, { protocols: remoteCommandProtocols, signal });
    channels.writeStatus(JSON.stringify(statusOf(await execute(opened, channels, { end, streams }))));
    end.over({ kind: 'completed' });
  } catch (error) {
    end.over({ kind: opened === undefined ? 'unreachable' : 'broken', error });
    channels.writeStatus(JSON.stringify(failure(messageOf(error))));
  } finally {
    channels.end();
  }
}

async function execute(
  { client, protocol, socket }: OpenedSpdy,
  channels: CommandChannels,
  { end, streams }: { readonly end: ExchangeEnd; readonly streams: CommandStreams },
): Promise<CommandOutcome> {
  try {
    const output =
      (write: (chunk: Buffer) => boolean) =>
      (chunk: Buffer): void => {
        if (write(chunk)) return;
        // What is said waits for who listens.
        socket.pause();
        channels.onceDrained(() => {
          socket.resume();
        });
      };
    const command = await runCommand(client, {
      protocol,
      streams,
      output: {
        stdout: output((chunk) => channels.writeStdout(chunk)),
        stderr: output((chunk) => channels.writeStderr(chunk)),
      },
    });
    channels.connect(sinksOf(command, { client, end, socket }));
    return await command.outcome;
  } finally {
    client.close();
  }
}

function sinksOf(
  { resize, stdin }: RunningCommand,
  { client, end, socket }: Pick<OpenedSpdy, 'client' | 'socket'> & { readonly end: ExchangeEnd },
): ChannelSinks {
  return {
    stdin: (chunk) => stdin?.write(chunk) ?? true,
    endStdin: () => {
      stdin?.end();
    },
    resize: (size) => {
      resize?.write(Buffer.from(`${JSON.stringify(size)}\n`));
    },
    onceDrained: (listener) => {
      socket.once('drain', listener);
    },
    closed: () => {
      end.because({ kind: 'client_left' });
      stdin?.end();
      client.close();
    },
  };
}

type StatusBody = Pick<Status, 'status' | 'message' | 'reason' | 'details' | 'code'> & { readonly metadata: object };

function statusOf(outcome: CommandOutcome): StatusBody {
  switch (outcome.kind) {
    case 'success':
      return { metadata: {}, status: 'Success' };
    case 'exit':
      return {
        metadata: {},
        status: 'Failure',
        message: `command terminated with non-zero exit code: command terminated with exit code ${outcome.code}`,
        reason: 'NonZeroExitCode' as NonNullable<Status['reason']>,
        details: { causes: [{ reason: 'ExitCode' as never, message: String(outcome.code) }] },
      };
    case 'error':
      return failure(outcome.text);
    default:
      return outcome satisfies never;
  }
}

function failure(text: string): StatusBody {
  const { code, details, message, reason } = internalError(text).status;
  return {
    metadata: {},
    status: 'Failure',
    ...(message === undefined ? {} : { message }),
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    ...(code === undefined ? {} : { code }),
  };
}
