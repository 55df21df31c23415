import { FieldPath } from '@kubechain/apimachinery';
import type { AppArmorProfile, Pod } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { takeAppArmorAnnotations } from './app-armor.ts';
import { validateAppArmorAnnotations, validateAppArmorMatches } from './validation/app-armor-annotations.ts';

const key = 'container.apparmor.security.beta.kubernetes.io/c';
const warning = `metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`;

interface Row {
  readonly name: string;
  readonly annotation: string;
  readonly ofPod?: AppArmorProfile;
  readonly own?: AppArmorProfile;
  readonly os?: string;
  readonly expected?: AppArmorProfile;
  readonly warns?: boolean;
  readonly errors?: readonly string[];
}

const typeDiffers =
  'spec.containers[0].securityContext.appArmorProfile.type: Forbidden: apparmor type in annotation and field ' +
  'must match';
const rows: readonly Row[] = [
  { name: 'unconfined', annotation: 'unconfined', expected: { type: 'Unconfined' }, warns: true },
  { name: 'the default', annotation: 'runtime/default', expected: { type: 'RuntimeDefault' }, warns: true },
  {
    name: 'a profile of the node',
    annotation: 'localhost/p',
    expected: { type: 'Localhost', localhostProfile: 'p' },
    warns: true,
  },
  { name: 'a profile without name', annotation: 'localhost/', warns: true },
  { name: 'a padded profile', annotation: 'localhost/p ', warns: true },
  { name: 'no profile', annotation: '', warns: true },
  { name: 'what the pod says as well', annotation: 'localhost/p', ofPod: { type: 'Localhost', localhostProfile: 'p' } },
  {
    name: 'another profile than the pod',
    annotation: 'unconfined',
    ofPod: { type: 'RuntimeDefault' },
    expected: { type: 'Unconfined' },
    warns: true,
  },
  {
    name: 'what the field says as well',
    annotation: 'runtime/default',
    own: { type: 'RuntimeDefault' },
    expected: { type: 'RuntimeDefault' },
  },
  {
    name: 'another type than the field',
    annotation: 'unconfined',
    own: { type: 'RuntimeDefault' },
    expected: { type: 'RuntimeDefault' },
    errors: [typeDiffers],
  },
  {
    name: 'a default where the field has none',
    annotation: 'runtime/default',
    own: { type: 'Unconfined' },
    expected: { type: 'Unconfined' },
    errors: [typeDiffers],
  },
  {
    name: 'no profile of the node as the field',
    annotation: 'unconfined',
    own: { type: 'Localhost', localhostProfile: 'p' },
    expected: { type: 'Localhost', localhostProfile: 'p' },
    errors: [typeDiffers],
  },
  {
    name: 'another profile than the field',
    annotation: 'localhost/q',
    own: { type: 'Localhost', localhostProfile: 'p' },
    expected: { type: 'Localhost', localhostProfile: 'p' },
    errors: [
      'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Forbidden: apparmor profile in ' +
        'annotation and field must match',
    ],
  },
  { name: 'Windows', annotation: 'unconfined', os: 'windows' },
];

describe('AppArmor annotations of pods', () => {
  for (const { annotation, errors = [], expected, name, ofPod, os, own, warns = false } of rows) {
    it(name, () => {
      const pod: Pod = {
        metadata: { annotations: { [key]: annotation } },
        spec: {
          containers: [{ name: 'c', ...(own === undefined ? {} : { securityContext: { appArmorProfile: own } }) }],
          ...(ofPod === undefined ? {} : { securityContext: { appArmorProfile: ofPod } }),
          ...(os === undefined ? {} : { os: { name: os } }),
        },
      };
      expect(takeAppArmorAnnotations(pod)).to.deep.equal(warns ? [warning] : []);
      expect(pod.spec?.containers[0]?.securityContext?.appArmorProfile).to.deep.equal(expected);
      expect(
        validateAppArmorMatches(pod.spec ?? { containers: [] }, pod.metadata, FieldPath.of('spec')).map(String),
      ).to.deep.equal(errors);
    });
  }

  it('of unknown containers, and with unknown profiles', () => {
    const path = FieldPath.of('metadata', 'annotations');
    const check = (annotations: Record<string, string>): string[] =>
      validateAppArmorAnnotations(
        annotations,
        { containers: [{ name: 'd' }], initContainers: [{ name: 'c' }] },
        path,
      ).map(String);
    expect(check({ [key]: 'localhost/p' })).to.deep.equal([]);
    expect(check({ [key]: 'x' })).to.deep.equal([
      `metadata.annotations[${key}]: Invalid value: "x": invalid AppArmor profile name: "x"`,
    ]);
    expect(check({ [`${key}c`]: '' })).to.deep.equal([
      `metadata.annotations[${key}c]: Invalid value: "cc": container not found`,
    ]);
  });
});
