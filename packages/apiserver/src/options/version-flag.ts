import { FlagSyntaxError, booleanFlag, type Flag } from './flag.ts';
import { unusableFlag } from './options-error.ts';

/** `vX.Y.Z`, what comes before a release, and metadata of the build: https://semver.org, leading zeros refused. */
const semantic = /^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/**
 * `--version`: what it was given. `true` and `raw` have the version shown, and nothing else; `vX.Y.Z…` is told as the
 * server's own; '' does nothing (component-base/version/verflag, 1.36).
 */
export const versionFlag: Flag<string> = {
  default: '',
  help:
    'Shows the version and ends; `raw` all that is known of it; `vX.Y.Z…`, a version of the same release, is told as ' +
    'the own one.',
  placeholder: 'version',
  defaultText: 'false',
  isBoolean: true,
  parse(text) {
    if (text === 'raw') return text;
    if (!text.startsWith('v')) return booleanFlag('').parse(text, undefined) ? 'true' : '';
    if (semantic.test(text)) return text;
    throw new FlagSyntaxError(`could not parse ${JSON.stringify(text.slice(1))} as version`);
  },
};

/** Whether that value has the version shown. */
export const showsVersion = (value: unknown): value is 'true' | 'raw' => value === 'true' || value === 'raw';

/**
 * What is told as the version of a server of a release.
 * @param gitVersion of the release, `v1.36.2`
 * @param own what is told without the flag
 * @throws OptionsError for a version of another release
 */
export function reportedVersion(value: string, gitVersion: string, own: string): string {
  if (value === '') return own;
  if (numbersOf(value) !== numbersOf(gitVersion))
    throw unusableFlag(
      'version',
      `version ${JSON.stringify(value)} must match major/minor/patch of default version ${JSON.stringify(gitVersion)}`,
    );
  return value;
}

const numbersOf = (version: string): string => (semantic.exec(version) ?? []).slice(1).join('.');
