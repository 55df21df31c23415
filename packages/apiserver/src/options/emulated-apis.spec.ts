import { builtinRelease } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { emulatedResources } from './emulated-apis.ts';
import type { EmulatedAPIs } from './emulated-apis.ts';

const policies = { group: 'admissionregistration.k8s.io', version: 'v1', resource: 'mutatingadmissionpolicies' };
const webhooks = { ...policies, resource: 'mutatingwebhookconfigurations' };
const classes = { group: 'storage.k8s.io', version: 'v1', resource: 'volumeattributesclasses' };
const given = (options: Partial<EmulatedAPIs>): EmulatedAPIs => ({
  runtimeConfig: new Map(),
  emulated: '1.33',
  forwardCompatible: false,
  runtimeConfigForwardCompatible: false,
  ...options,
});

describe('APIs of an emulated release', () => {
  it('are those that it had', () => {
    const serves = emulatedResources(builtinRelease, given({}));
    expect([policies, webhooks, classes].map((resource) => serves(resource))).to.deep.equal([false, true, false]);
    const since = emulatedResources(builtinRelease, given({ emulated: '1.34' }));
    expect([policies, classes].map((resource) => since(resource))).to.deep.equal([false, true]);
  });

  it('are those that have gone since, where they are asked for', () => {
    const former = { ...policies, version: 'v1beta1', resource: 'validatingadmissionpolicies' };
    const runtimeConfig = new Map([['api/all', 'true']]);
    const serves = (emulated: string, asked = runtimeConfig): boolean =>
      emulatedResources(builtinRelease, given({ emulated, runtimeConfig: asked }))(former);
    expect(['1.33', '1.34', builtinRelease.version].map((emulated) => serves(emulated))).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect(serves('1.33', new Map())).to.equal(false);
  });

  it('are all of the own release, where that is meant', () => {
    const serves = emulatedResources(builtinRelease, given({ emulated: builtinRelease.version }));
    expect([policies, classes].map((resource) => serves(resource))).to.deep.equal([true, true]);
  });

  it('are refused by name where they came later, in the words of kube-apiserver', () => {
    const asked = new Map([['admissionregistration.k8s.io/v1/mutatingadmissionpolicies', 'true']]);
    expect(() => emulatedResources(builtinRelease, given({ runtimeConfig: asked }))).to.throw(
      '--runtime-config: cannot enable resource admissionregistration.k8s.io/v1, Resource=mutatingadmissionpolicies ' +
        'in runtime-config because it is introduced at 1.36 after the current version 1.33. Consider setting ' +
        '--runtime-config-emulation-forward-compatible=true',
    );
    const version = new Map([['resource.k8s.io/v1', 'true']]);
    expect(() => emulatedResources(builtinRelease, given({ runtimeConfig: version }))).to.throw(
      '--runtime-config: cannot enable version resource.k8s.io/v1 in runtime-config because all the resources have ' +
        'been introduced after the current version 1.33. Consider setting ' +
        '--runtime-config-emulation-forward-compatible=true',
    );
  });

  it('are served by name where a flag lets that be', () => {
    const asked = new Map([['admissionregistration.k8s.io/v1/mutatingadmissionpolicies', 'true']]);
    const options = given({ runtimeConfig: asked, runtimeConfigForwardCompatible: true });
    expect(emulatedResources(builtinRelease, options)(policies)).to.equal(true);
  });

  it('are served where an older version of them is, by a flag', () => {
    const runtimeConfig = new Map([['storage.k8s.io/v1beta1', 'true']]);
    const serves = (forwardCompatible: boolean): boolean =>
      emulatedResources(builtinRelease, given({ runtimeConfig, forwardCompatible }))(classes);
    expect([serves(false), serves(true)]).to.deep.equal([false, true]);
  });

  it('are served where an older version of them is turned on with its stage, by a flag', () => {
    const runtimeConfig = new Map([
      ['api/ga', 'false'],
      ['api/beta', 'true'],
    ]);
    const serves = (forwardCompatible: boolean): boolean =>
      emulatedResources(builtinRelease, given({ runtimeConfig, forwardCompatible }))(classes);
    expect([serves(false), serves(true)]).to.deep.equal([false, true]);
  });
});
