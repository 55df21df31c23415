import { expect } from 'chai';
import { LaunchError } from '../launch-error.ts';
import { compareRelease, parseRelease, releaseFlags } from './release-lifecycle.ts';
import type { SourceObject } from './source-object.ts';

const place = { file: 'a.yaml', line: 1, column: 1 };
const object = (apiVersion: string, kind: string): SourceObject => ({
  value: { apiVersion, kind, metadata: { name: 'a' } },
  place: () => place,
});

describe('another release', () => {
  const rows: readonly (readonly [apiVersion: string, kind: string, minor: number, found: string])[] = [
    ['policy/v1beta1', 'PodDisruptionBudget', 20, ''],
    [
      'policy/v1beta1',
      'PodDisruptionBudget',
      21,
      'warning deprecated: policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+, unavailable in v1.25+; ' +
        'use policy/v1 PodDisruptionBudget',
    ],
    [
      'policy/v1beta1',
      'PodDisruptionBudget',
      25,
      'error removed: policy/v1beta1 PodDisruptionBudget is unavailable in v1.25+; use policy/v1 PodDisruptionBudget',
    ],
    [
      'v1',
      'Endpoints',
      37,
      'warning deprecated: v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
    ],
    [
      'policy/v1',
      'PodDisruptionBudget',
      20,
      'error introduced: policy/v1 PodDisruptionBudget is available in v1.21+ only',
    ],
    [
      'policy/v1beta1',
      'Nothing',
      36,
      'warning unknown: Kubernetes 1.36 has no record of policy/v1beta1 Nothing: it may have gone before',
    ],
    ['sea.example.com/v1', 'Boat', 36, ''],
    ['apps/v1', 'Deployment', 42, ''],
  ];
  for (const [apiVersion, kind, minor, found] of rows)
    it(`1.${minor} says of ${apiVersion} ${kind}: ${found === '' ? 'nothing' : found}`, () => {
      const compared = compareRelease({ objects: [object(apiVersion, kind)], errors: [] }, minor);
      const findings = compared.objects.flatMap((one) => one.findings);
      expect(findings.map(({ level, message, rule }) => `${level} ${rule}: ${message}`).join()).to.equal(found);
    });

  it('is named by its minor version', () => {
    expect(['1.38', 'v1.38', '1.38.2'].map((text) => parseRelease(text))).to.deep.equal([38, 38, 38]);
    expect(() => parseRelease('next')).to.throw(LaunchError, '--to: "next" is no release like 1.38');
  });

  it('is a flag of kube-apiserver, emulated where it is an earlier one', () => {
    expect(releaseFlags('1.37')).to.deep.equal(['--kubernetes-version=1.37']);
    expect(releaseFlags('v1.36.2')).to.deep.equal(['--kubernetes-version=1.36']);
    expect(releaseFlags('1.35')).to.deep.equal(['--emulated-version=1.35']);
    expect(() => releaseFlags('x')).to.throw('--kubernetes-version: "x" is no release');
  });
});
