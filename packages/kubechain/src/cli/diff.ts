import manifest from '../../package.json' with { type: 'json' };
import { compareRelease, coverage, parseRelease } from '../offline/release-lifecycle.ts';
import { report, type ReportFormat } from '../offline/report.ts';
import { readSources } from '../offline/read-sources.ts';

/** What `kubechain diff` is asked for. */
export interface DiffCommand {
  readonly paths: readonly string[];
  /** `1.38`. */
  readonly to: string;
  readonly format: ReportFormat;
  readonly failOnWarnings: boolean;
  readonly stdin: AsyncIterable<Buffer>;
  readonly write: (text: string) => void;
}

/** Resolves to the exit code: 1 when the release lacks something. @throws LaunchError */
export async function diffCommand({ failOnWarnings, format, paths, stdin, to, write }: DiffCommand): Promise<number> {
  const release = parseRelease(to);
  const compared = compareRelease(await readSources(paths, { stdin, namespace: 'default', release: to }), release);
  const text = report(compared.objects, format, manifest.version);
  write(`${text}\n${format === 'text' ? `${coverage(compared, release)}\n` : ''}`);
  const findings = compared.objects.flatMap((object) => object.findings);
  return findings.some(({ level }) => level === 'error' || failOnWarnings) ? 1 : 0;
}
