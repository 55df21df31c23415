import type { CommandChannels } from '@kubechain/apiserver/streaming';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { answerTo, attachAnnotation } from './scripted-command.ts';

export interface PlayAttachOptions {
  readonly pod: Pod;
  /** A terminal is there: what is typed comes back, and lines end with a carriage return. */
  readonly tty: boolean;
  /** Told when the client has left, or has ended the session. */
  readonly onEnd: () => void;
}

/** A session of who has attached. */
export interface AttachedSession {
  /** The container has ended. */
  end(): void;
}

/**
 * Plays what runs in a container for who attaches to it: shows the text of the annotation, and answers each line that
 * is typed as a command of `kubectl exec`, as a shell would. `exit`, and the end of the input, end the session.
 */
export function playAttach(channels: CommandChannels, { onEnd, pod, tty }: PlayAttachOptions): AttachedSession {
  const lineEnd = tty ? '\r\n' : '\n';
  const show = (text: string): void => {
    if (text !== '') channels.writeStdout(Buffer.from(tty ? text.replaceAll('\n', lineEnd) : text));
  };
  let ended = false;
  let typed = '';
  const end = (): void => {
    if (ended) return;
    ended = true;
    channels.writeStatus(JSON.stringify({ metadata: {}, status: 'Success' }));
    channels.end();
    onEnd();
  };
  const answer = (line: string): void => {
    const words = line.trim().split(/\s+/);
    if (words[0] === '') return;
    if (words[0] === 'exit') return end();
    const { stderr, stdout } = answerTo(pod, words);
    show(stdout);
    if (tty) show(stderr);
    else if (stderr !== '') channels.writeStderr(Buffer.from(stderr));
  };
  show(pod.metadata?.annotations?.[attachAnnotation] ?? '');
  channels.connect({
    stdin: (chunk) => {
      const text = chunk.toString('utf8');
      if (tty) show(text.replaceAll('\r', '\n'));
      const lines = (typed + text).split(/\r\n|\r|\n/);
      typed = lines.pop() ?? '';
      for (const line of lines) if (!ended) answer(line);
      return true;
    },
    endStdin: () => {
      if (!ended) answer(typed);
      end();
    },
    resize: () => undefined,
    onceDrained: (listener) => listener(),
    closed: () => {
      ended = true;
      onEnd();
    },
  });
  return { end };
}
