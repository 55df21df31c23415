import { builtinRelease } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { flowControlProblem, runtimeConfigProblem, servedLegacyResources, servedResources } from './runtime-config.ts';

const pairs = (given: Record<string, string>): ReadonlyMap<string, string> => new Map(Object.entries(given));

describe('--runtime-config', () => {
  const rows: readonly (readonly [given: Record<string, string>, problem: string | undefined])[] = [
    [{ v1: 'false' }, undefined],
    [{ 'api/v1': 'true' }, undefined],
    [{ '/v1': '' }, undefined],
    [{ 'api/legacy': 'false' }, undefined],
    [{ 'apps/v1/nope': 'false' }, undefined],
    [{ 'resource.k8s.io/v1beta1': 'false' }, undefined],
    [{ 'api/alpha': 'false', 'api/beta': 'false' }, undefined],
    [{ 'api/all': 'false' }, 'invalid runtime-config with only api/all=false'],
    [{ 'api/all': 'maybe' }, 'invalid value api/all=maybe'],
    [{ 'apps/v1': 'no' }, 'invalid value of apps/v1: no, err: strconv.ParseBool: parsing "no": invalid syntax'],
    [{ 'nope/v1': 'true' }, 'unknown api groups nope/v1'],
    [{ 'apps/v9': 'true' }, 'group version apps/v9 that has not been registered'],
    [{ 'a/b/c/d': 'true' }, 'runtime-config invalid key a/b/c/d'],
    [{ apps: 'true' }, 'runtime-config invalid key apps'],
    [
      { 'apps/v1/Deployments': 'false' },
      'invalid key apps/v1/Deployments: group/version/resource and resource is always lowercase plural, not ' +
        '"Deployments"',
    ],
    [{ 'networking.k8s.io/v1beta1': 'true' }, undefined],
    [{ 'extensions/v1beta1': 'true', 'apps/v1beta1': 'false' }, undefined],
    [{ 'audit.k8s.io/v1': 'true' }, 'unknown api groups audit.k8s.io/v1'],
    [{ 'certificates.k8s.io/v1beta1': 'true' }, undefined],
    [{ 'resource.k8s.io/v1beta2/resourceclaims': 'true' }, undefined],
    [{ 'api/all': 'true' }, undefined],
    [{ 'resource.k8s.io/v1beta2': 'true', 'resource.k8s.io/v1alpha3/devicetaintrules': 'true' }, undefined],
    [{ 'internal.apiserver.k8s.io/v1alpha1': 'true' }, undefined],
    [{ 'storagemigration.k8s.io/v1': 'true' }, undefined],
    [{ 'apiregistration.k8s.io/v1beta1': 'true', 'apiregistration.k8s.io/v1beta1/apiservices': '' }, undefined],
    [{ 'apiregistration.k8s.io/v9': 'true' }, 'group version apiregistration.k8s.io/v9 that has not been registered'],
    [{ '/v2': 'true' }, 'group version v2 that has not been registered'],
    [{ '/': 'true' }, 'group version  that has not been registered'],
    [{ 'apps/v9': 'true', 'nope/v1': 'true', 'api/beta': 'maybe' }, 'unknown api groups nope/v1'],
    [{ 'nope/v2/b': '', 'Apps/v1': '', 'nope/v2': 'maybe' }, 'unknown api groups Apps/v1,nope/v2'],
    [{ 'nope/v1': 'true', apps: 'true' }, 'runtime-config invalid key apps'],
    [{ 'apps/v9': 'true', 'api/alpha': '' }, 'invalid value api/alpha='],
  ];
  for (const [given, problem] of rows) {
    it(`${problem === undefined ? 'takes' : 'refuses'} ${JSON.stringify(given)}`, () => {
      expect(runtimeConfigProblem(pairs(given))).to.equal(problem);
    });
  }

  it('leaves flow control what it follows', () => {
    const conflict = (key: string): string => `${key}=false conflicts with --enable-priority-and-fairness=true`;
    const flowControl = 'flowcontrol.apiserver.k8s.io/v1';
    expect(flowControlProblem(pairs({ 'api/ga': 'false' }))).to.equal(conflict('api/ga'));
    expect(flowControlProblem(pairs({ 'api/all': 'false', v1: 'true' }))).to.equal(conflict('api/all'));
    expect(flowControlProblem(pairs({ [flowControl]: 'false', 'api/all': 'true' }))).to.equal(conflict(flowControl));
    expect(flowControlProblem(pairs({ [flowControl]: 'true', 'api/all': 'false' }))).to.equal(undefined);
    expect(flowControlProblem(pairs({ 'api/beta': 'false' }))).to.equal(undefined);
  });

  it('asks for nothing that its release does not have', () => {
    const asked = pairs({ 'storagemigration.k8s.io/v1': 'true' });
    expect(runtimeConfigProblem(asked, builtinRelease)).to.equal(
      'group version storagemigration.k8s.io/v1 that has not been registered',
    );
    expect(runtimeConfigProblem(pairs({ 'lifecycle.k8s.io/v1alpha1': 'true' }), builtinRelease)).to.equal(
      'unknown api groups lifecycle.k8s.io/v1alpha1',
    );
    expect(runtimeConfigProblem(pairs({ 'apps/v1': 'true' }), builtinRelease)).to.equal(undefined);
  });

  const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };
  const pods = { group: '', version: 'v1', resource: 'pods' };
  const served: readonly (readonly [given: Record<string, string>, deployments: boolean, pods: boolean])[] = [
    [{}, true, true],
    [{ 'apps/v1': 'false' }, false, true],
    [{ 'apps/v1': 'false', 'apps/v1/deployments': 'true' }, true, true],
    [{ 'apps/v1/deployments': 'false' }, false, true],
    [{ 'api/all': 'false', 'api/v1': 'true' }, false, true],
    [{ 'api/ga': 'false', 'apps/v1/deployments': '' }, true, false],
    [{ 'api/beta': 'false' }, true, true],
  ];
  for (const [given, first, second] of served) {
    it(`serves what ${JSON.stringify(given)} leaves`, () => {
      const serves = servedResources(pairs(given));
      expect([serves(deployments), serves(pods)]).to.deep.equal([first, second]);
    });
  }

  const addresses = { group: 'networking.k8s.io', version: 'v1beta1', resource: 'ipaddresses' };
  const policies = {
    group: 'admissionregistration.k8s.io',
    version: 'v1alpha1',
    resource: 'mutatingadmissionpolicies',
  };
  const optional: readonly (readonly [given: Record<string, string>, beta: boolean, alpha: boolean])[] = [
    [{}, false, false],
    [{ 'api/all': 'true' }, true, true],
    [{ 'api/beta': 'true' }, true, false],
    [{ 'api/all': 'true', 'api/alpha': 'false' }, true, false],
    [{ 'networking.k8s.io/v1beta1': 'true' }, true, false],
    [{ 'networking.k8s.io/v1beta1/ipaddresses': 'true' }, true, false],
    [{ 'networking.k8s.io/v1beta1/servicecidrs': 'true' }, false, false],
    [{ 'api/beta': 'true', 'networking.k8s.io/v1beta1': 'false' }, false, false],
  ];
  for (const [given, beta, alpha] of optional) {
    it(`serves of alpha and beta what ${JSON.stringify(given)} asks for`, () => {
      const serves = servedResources(pairs(given));
      expect([serves(addresses), serves(policies)]).to.deep.equal([beta, alpha]);
    });
  }
});

describe('--runtime-config with --emulation-forward-compatible', () => {
  const claims = { group: 'resource.k8s.io', version: 'v1beta2', resource: 'resourceclaims' };
  const rows: readonly (readonly [given: Record<string, string>, served: boolean])[] = [
    [{}, false],
    [{ 'resource.k8s.io/v1beta1': 'true' }, true],
    [{ 'resource.k8s.io/v1beta1/resourceclaims': 'true' }, true],
    [{ 'resource.k8s.io/v1beta1/deviceclasses': 'true' }, false],
    [{ 'resource.k8s.io/v1alpha3': 'true', 'storage.k8s.io/v1beta1': 'true' }, false],
    [{ 'resource.k8s.io/v1beta1': 'true', 'resource.k8s.io/v1beta2': 'false' }, false],
  ];
  for (const [given, served] of rows)
    it(`${served ? 'serves' : 'does not serve'} a better version with ${JSON.stringify(given)}`, () => {
      expect(servedResources(pairs(given), { forwardFrom: [] })(claims)).to.equal(served);
    });

  const betas = { 'api/ga': 'false', 'api/beta': 'true' };
  const stages: readonly (readonly [given: Record<string, string>, served: boolean])[] = [
    [betas, true],
    [{ 'api/all': 'true', 'api/ga': 'false' }, true],
    [{ 'api/ga': 'false' }, false],
    [{ 'api/ga': 'false', 'api/alpha': 'true' }, false],
    [{ ...betas, 'resource.k8s.io/v1': 'false' }, false],
    [{ ...betas, 'resource.k8s.io/v1beta1': 'false' }, false],
  ];
  for (const [given, served] of stages)
    it(`${served ? 'serves' : 'does not serve'} a better version than what ${JSON.stringify(given)} turns on`, () => {
      const forwardFrom = ['v1', 'v1beta1', 'v1alpha3'].map((version) => ({ group: 'resource.k8s.io', version }));
      expect(servedResources(pairs(given), { forwardFrom })({ ...claims, version: 'v1' })).to.equal(served);
    });

  it('serves a better version than one of which no resource is left', () => {
    const reviews = { group: 'authentication.k8s.io', version: 'v1', resource: 'tokenreviews' };
    expect(servedResources(pairs(betas), { forwardFrom: [] })(reviews)).to.equal(true);
    expect(servedResources(pairs(betas))(reviews)).to.equal(false);
  });

  it('is what makes the difference', () => {
    expect(servedResources(pairs({ 'resource.k8s.io/v1beta1': 'true' }))(claims)).to.equal(false);
  });
});

describe('removed versions', () => {
  const ingress = { group: 'extensions', version: 'v1beta1', resource: 'ingresses' };

  it('are served where they are asked for', () => {
    expect(servedLegacyResources(pairs({}), ['extensions/v1beta1'])(ingress)).to.equal(true);
    expect(servedLegacyResources(pairs({ 'api/all': 'true' }), ['apps/v1beta1'])(ingress)).to.equal(false);
  });

  it('are taken out again by name', () => {
    const served = servedLegacyResources(pairs({ 'extensions/v1beta1/ingresses': 'false' }), ['extensions/v1beta1']);
    expect(served(ingress)).to.equal(false);
    expect(served({ ...ingress, resource: 'deployments' })).to.equal(true);
  });
});
