import { serverVersion } from './version.ts';

/** What `--version` shows: `Kubernetes v1.36.2…`, or with `raw` all facts (component-base/version/verflag, 1.36). */
export function versionText(value: 'true' | 'raw'): string {
  const version = serverVersion();
  if (value === 'true') return `Kubernetes ${version.gitVersion}\n`;
  return `version.Info{${Object.entries(version)
    .map(([name, fact]) => `${name.charAt(0).toUpperCase()}${name.slice(1)}:${JSON.stringify(fact)}`)
    .join(', ')}}\n`;
}
