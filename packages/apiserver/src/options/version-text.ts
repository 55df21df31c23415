import { serverVersion } from './version.ts';
import { OptionsError } from './options-error.ts';

/** What `--version` shows: `Kubernetes v1.36.2…`, or with `raw` all facts (component-base/version/verflag, 1.36). */
export function versionText(value: string): string {
  const version = serverVersion();
  if (value === 'raw')
    return `version.Info{${Object.entries(version)
      .map(([name, fact]) => `${name.charAt(0).toUpperCase()}${name.slice(1)}:${JSON.stringify(fact)}`)
      .join(', ')}}\n`;
  if (value === 'true') return `Kubernetes ${version.gitVersion}\n`;
  throw new OptionsError(
    'InvalidValue',
    `invalid argument ${JSON.stringify(value)} for "--version" flag: not supported: another version is not told ` +
      `than the server's own`,
  );
}
