import { FieldPath, invalidValue, required } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import { immutable } from '../../validation/immutable.ts';
import { validateElectionStrategy } from '../strategy-rules.ts';
import type { LeaseCandidate, LeaseCandidateSpec } from './lease-candidate.ts';
import { compareSemanticVersions, parseSemanticVersion, zeroVersion } from './semantic-version.ts';

const path = FieldPath.of('spec');
const strategyPath = path.child('strategy');
const emulationPath = path.child('emulationVersion');
const binaryPath = path.child('binaryVersion');

/** Rules of candidates for leases (pkg/apis/coordination/validation, 1.36). */
export function validateLeaseCandidate({ spec = {} }: LeaseCandidate): FieldError[] {
  return [
    ...(spec.leaseName ? [] : [required(path.child('leaseName'))]),
    ...validateVersions(spec),
    ...validateStrategy(spec),
  ];
}

/** A candidate stays that of its lease. */
export function validateLeaseCandidateUpdate(candidate: LeaseCandidate, old: LeaseCandidate): FieldError[] {
  return [
    ...validateLeaseCandidate(candidate),
    ...immutable(path.child('leaseName'), candidate.spec?.leaseName ?? '', old.spec?.leaseName ?? ''),
  ];
}

function validateVersions({ binaryVersion, emulationVersion }: LeaseCandidateSpec): FieldError[] {
  const errors: FieldError[] = [];
  const notSemantic = 'must be a valid semantic version';
  const emulation = emulationVersion ? parseSemanticVersion(emulationVersion) : zeroVersion;
  if (emulation === undefined) errors.push(invalidValue(emulationPath, emulationVersion, notSemantic));
  if (!binaryVersion) return [...errors, required(binaryPath)];
  const binary = parseSemanticVersion(binaryVersion);
  if (binary === undefined) errors.push(invalidValue(binaryPath, binaryVersion, notSemantic));
  // What cannot be read counts as 0.0.0.
  if (emulationVersion && compareSemanticVersions(binary ?? zeroVersion, emulation ?? zeroVersion) < 0)
    errors.push(invalidValue(binaryPath, binaryVersion, 'must be greater than or equal to `emulationVersion`'));
  return errors;
}

function validateStrategy({ emulationVersion, strategy }: LeaseCandidateSpec): FieldError[] {
  if (!strategy) return [required(strategyPath)];
  const errors: FieldError[] = [];
  const emulation = emulationVersion ? parseSemanticVersion(emulationVersion) : undefined;
  if (strategy === 'OldestEmulationVersion' && compareSemanticVersions(emulation ?? zeroVersion, zeroVersion) === 0)
    errors.push(required(emulationPath, "must be specified when `strategy` is 'OldestEmulationVersion'"));
  return [...errors, ...validateElectionStrategy(strategyPath, strategy)];
}
