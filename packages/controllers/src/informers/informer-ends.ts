import { Logger } from '@kubechain/apiserver/logging';

/** Why a watch of an informer has ended. The kinds are values of the metric's label `reason`. */
export type InformerEnd =
  /** In order, by the server: its time is over, or the server goes away. */
  | 'server_ended'
  /** The server no longer has that history (410): everything is listed again. */
  | 'expired'
  /** It broke, or could not be established; who owns the informer is told why. */
  | 'failed'
  /** The informer is no longer wanted, or the process stops. */
  | 'stopped';

const log = new Logger('informer');

/** Counts why the watches of informers have ended, and tells each once. */
export class InformerEnds {
  /** By resource, then by reason. */
  readonly #counts = new Map<string, Map<InformerEnd, number>>();

  /** @param resource `pods.v1` and the like */
  ended(resource: string, end: InformerEnd): void {
    let counts = this.#counts.get(resource);
    if (counts === undefined) this.#counts.set(resource, (counts = new Map<InformerEnd, number>()));
    counts.set(end, (counts.get(end) ?? 0) + 1);
    // What failed is told with its error.
    if (end !== 'failed') log.info('Watch of an informer ended', { resource, reason: end }, end === 'expired' ? 2 : 3);
  }

  /** In Prometheus' text format. */
  text(): string {
    const name = 'controller_informer_watch_terminations_total';
    const lines = [
      `# HELP ${name} Number of watches that informers have lived on and that have ended, by reason.`,
      `# TYPE ${name} counter`,
    ];
    for (const [resource, counts] of this.#counts)
      for (const [reason, count] of counts) lines.push(`${name}{resource="${resource}",reason="${reason}"} ${count}`);
    return `${lines.join('\n')}\n`;
  }
}
