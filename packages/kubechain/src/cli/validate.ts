import manifest from '../../package.json' with { type: 'json' };
import { report, type ReportFormat } from '../offline/report.ts';
import { readSources } from '../offline/source-object.ts';
import { validate, type ValidateOptions } from '../offline/validate.ts';

/** What `kubechain validate` is asked for. */
export interface ValidateCommand extends ValidateOptions {
  readonly paths: readonly string[];
  readonly format: ReportFormat;
  readonly failOnWarnings: boolean;
  readonly stdin: AsyncIterable<Buffer>;
  readonly write: (text: string) => void;
}

/** Resolves to the exit code: 1 when something is wrong. @throws LaunchError for paths that are not there */
export async function validateCommand(command: ValidateCommand): Promise<number> {
  const objects = await validate(() => readSources(command.paths, command.stdin), command);
  command.write(`${report(objects, command.format, manifest.version)}\n`);
  const findings = objects.flatMap((object) => object.findings);
  return findings.some(({ level }) => level === 'error' || command.failOnWarnings) ? 1 : 0;
}
