import manifest from '../../package.json' with { type: 'json' };
import { startOfflineServer } from '../offline/offline-server.ts';
import { releaseFlags } from '../offline/release-lifecycle.ts';
import type { ReportFormat } from '../offline/report.ts';
import type { ValidateOptions } from '../offline/validate.ts';

/** What `kubechain validate` is asked for. */
export interface ValidateCommand extends ValidateOptions {
  readonly paths: readonly string[];
  /** `1.35`: whose rules; default: the servers' own. */
  readonly release?: string;
  /** Of kube-apiserver. */
  readonly flags: readonly string[];
  readonly format: ReportFormat;
  readonly failOnWarnings: boolean;
  readonly stdin: AsyncIterable<Buffer>;
  readonly write: (text: string) => void;
}

/** Resolves to the exit code: 1 when something is wrong. @throws LaunchError for paths that are not there */
export async function validateCommand(command: ValidateCommand): Promise<number> {
  const { failOnWarnings, flags, format, paths, release, write } = command;
  const servers = startOfflineServer({
    flags: [...(release === undefined ? [] : releaseFlags(release)), ...flags],
    rights: false,
  });
  try {
    // They start while files are read, and what reads them is loaded.
    const [{ readSources }, { validate }, { report }] = await Promise.all([
      import('../offline/read-sources.ts'),
      import('../offline/validate.ts'),
      import('../offline/report.ts'),
    ]);
    const objects = await validate(servers, await readSources(paths, command), command);
    write(`${report(objects, format, manifest.version)}\n`);
    const findings = objects.flatMap((object) => object.findings);
    return findings.some(({ level }) => level === 'error' || failOnWarnings) ? 1 : 0;
  } finally {
    await servers.close();
  }
}
