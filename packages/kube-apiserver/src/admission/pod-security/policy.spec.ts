import { expect } from 'chai';
import { levelVersionText } from './level-version.ts';
import { labelPrefix, policyOf } from './policy.ts';

const rows: readonly (readonly [
  name: string,
  labels: Record<string, string> | undefined,
  policy: string,
  errors?: readonly string[],
])[] = [
  ['no labels', undefined, 'privileged:latest privileged:latest privileged:latest'],
  ['other labels', { other: 'x' }, 'privileged:latest privileged:latest privileged:latest'],
  [
    'all modes',
    {
      enforce: 'baseline',
      'enforce-version': 'v1.0',
      audit: 'restricted',
      'audit-version': 'latest',
      warn: 'restricted',
      'warn-version': 'v1.20',
    },
    'baseline:v1.0 restricted:latest restricted:v1.20',
  ],
  [
    'warn follows enforce',
    { enforce: 'baseline', 'enforce-version': 'v1.22' },
    'baseline:v1.22 privileged:latest baseline:v1.22',
  ],
  [
    'warn follows in a version of its own',
    { enforce: 'baseline', 'enforce-version': 'v1.22', 'warn-version': 'v1.30' },
    'baseline:v1.22 privileged:latest baseline:v1.30',
  ],
  [
    'warn does not follow where it is said',
    { enforce: 'restricted', warn: 'privileged' },
    'restricted:latest privileged:latest privileged:latest',
  ],
  [
    'enforcing fails closed, without warnings',
    { enforce: 'strict' },
    'restricted:latest privileged:latest privileged:latest',
    ['enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted'],
  ],
  [
    'audit and warn fail open',
    { audit: 'x', warn: '' },
    'privileged:latest privileged:latest privileged:latest',
    [
      'audit]: Invalid value: "x": must be one of privileged, baseline, restricted',
      'warn]: Invalid value: "": must be one of privileged, baseline, restricted',
    ],
  ],
  ...['1.24', 'v1.01', 'v2.0', 'v1', 'v1.9223372036854775808', 'Latest'].map(
    (version) =>
      [
        `version ${version}`,
        { enforce: 'baseline', 'enforce-version': version },
        'baseline:latest privileged:latest baseline:latest',
        [`enforce-version]: Invalid value: "${version}": must be "latest" or "v1.x"`],
      ] as const,
  ),
  [
    'a version far away',
    { enforce: 'baseline', 'enforce-version': 'v1.9223372036854775807' },
    'baseline:v1.9223372036854775807 privileged:latest baseline:v1.9223372036854775807',
  ],
  [
    'errors in order',
    { 'warn-version': '1', enforce: 'x', 'enforce-version': '2' },
    'restricted:latest privileged:latest privileged:latest',
    [
      'enforce]: Invalid value: "x": must be one of privileged, baseline, restricted',
      'enforce-version]: Invalid value: "2": must be "latest" or "v1.x"',
      'warn-version]: Invalid value: "1": must be "latest" or "v1.x"',
    ],
  ],
];

describe('policy of namespace labels', () => {
  for (const [name, labels, expected, errors = []] of rows) {
    it(name, () => {
      const parsed = policyOf(
        labels === undefined
          ? undefined
          : Object.fromEntries(Object.entries(labels).map(([label, value]) => [`${labelPrefix}${label}`, value])),
      );
      const { audit, enforce, warn } = parsed.policy;
      expect([enforce, audit, warn].map(levelVersionText).join(' ')).to.equal(expected);
      expect(parsed.errors.map(String)).to.deep.equal(errors.map((text) => `metadata.labels[${labelPrefix}${text}`));
    });
  }
});
