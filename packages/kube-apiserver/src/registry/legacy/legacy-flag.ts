import { FlagSyntaxError } from '@kubechain/apiserver/options';
import type { Flag } from '@kubechain/apiserver/options';
import { legacyNames } from './legacy-versions.ts';

/** `--legacy-apis`: which removed versions are served. Without a value, or with `all`, every one. */
export const legacyFlag: Flag<readonly string[]> = {
  default: [],
  help:
    'API versions that Kubernetes has removed and that are served again, over the objects of today: `all`, or some ' +
    `of ${legacyNames.join(', ')}. Without a value: all.`,
  placeholder: 'strings',
  defaultText: '',
  isBoolean: true,
  parse(text, previous = []) {
    if (text === 'true' || text === 'all') return legacyNames;
    if (text === 'false' || text === '') return previous;
    const names = text.split(',').map((name) => name.trim());
    const unknown = names.find((name) => !legacyNames.includes(name));
    if (unknown !== undefined)
      throw new FlagSyntaxError(`${JSON.stringify(unknown)} is none of all, ${legacyNames.join(', ')}`);
    return [...new Set([...previous, ...names])];
  },
};
