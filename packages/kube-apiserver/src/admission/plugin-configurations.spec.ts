import { PluginConfigurations } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  clusterTolerations,
  eventLimits,
  imagePolicy,
  nodeSelectors,
  podSecurityConfiguration,
} from './plugin-configurations.ts';

const none = PluginConfigurations.read('');

/** Of one plugin, with the fields of its configuration. */
function configured(name: string, configuration: object): PluginConfigurations {
  const folder = mkdtempSync(join(tmpdir(), 'kubechain-plugins-'));
  const file = join(folder, 'admission.json');
  try {
    writeFileSync(
      file,
      JSON.stringify({
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'AdmissionConfiguration',
        plugins: [{ name, configuration }],
      }),
    );
    return PluginConfigurations.read(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const events = (limits: unknown): PluginConfigurations =>
  configured('EventRateLimit', {
    apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
    kind: 'Configuration',
    limits,
  });
const tolerations = (fields: object): PluginConfigurations =>
  configured('PodTolerationRestriction', {
    apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1',
    kind: 'Configuration',
    ...fields,
  });
const security = (fields: object): PluginConfigurations =>
  configured('PodSecurity', {
    apiVersion: 'pod-security.admission.config.k8s.io/v1',
    kind: 'PodSecurityConfiguration',
    ...fields,
  });

describe('what plugins are configured with', () => {
  it('EventRateLimit: limits', () => {
    const limits = [{ type: 'User', qps: 1, burst: 2, cacheSize: 3 }];
    expect(eventLimits(events(limits))).to.deep.equal(limits);
  });
  it('PodNodeSelector: selectors', () => {
    expect(nodeSelectors(none)).to.deep.equal({});
    expect(nodeSelectors(configured('PodNodeSelector', { podNodeSelectorPluginConfig: { ns: 'a=b' } }))).to.deep.equal({
      ns: 'a=b',
    });
  });
  it('PodTolerationRestriction: tolerations', () => {
    expect(clusterTolerations(none)).to.deep.equal({ defaults: [], allowed: [] });
    expect(clusterTolerations(tolerations({ default: [{ key: 'k' }], whitelist: [] }))).to.deep.equal({
      defaults: [{ key: 'k' }],
      allowed: [],
    });
  });
  it('PodSecurity: defaults and exemptions', () => {
    const { defaults, exemptions } = podSecurityConfiguration(
      security({ defaults: { enforce: 'baseline', 'warn-version': 'v1.30' }, exemptions: { namespaces: ['a'] } }),
    );
    expect(defaults).to.deep.equal({
      enforce: { level: 'baseline', version: 'latest' },
      audit: { level: 'privileged', version: 'latest' },
      warn: { level: 'privileged', version: 'v1.30' },
    });
    expect(exemptions).to.deep.equal({ namespaces: ['a'], usernames: [], runtimeClasses: [] });
  });

  for (const [title, run, message] of [
    ['no limits', () => eventLimits(none), 'EventRateLimit: limits: Invalid value: null: must not be empty'],
    [
      'limits of nothing',
      () => eventLimits(events([{ type: 'Pod', burst: 0, cacheSize: -1 }])),
      'EventRateLimit: [limits[0].type: Unsupported value: "Pod": supported values: "Server", "Namespace", "User", ' +
        '"SourceAndObject", limits[0].burst: Invalid value: 0: must be positive, limits[0].qps: Invalid ' +
        'value: 0: must be ' +
        'positive, limits[0].cacheSize: Invalid value: -1: must not be negative]',
    ],
    ['no image policy', () => imagePolicy(none), 'ImagePolicyWebhook: no config specified'],
    [
      'image policies kept for too long',
      () => imagePolicy(configured('ImagePolicyWebhook', { imagePolicy: { allowTTL: 3600 } })),
      'ImagePolicyWebhook: valid value is between 1s and 30m0s, got 1h0m0s',
    ],
    [
      'image policies of nobody',
      () => imagePolicy(configured('ImagePolicyWebhook', { imagePolicy: { kubeConfigFile: '/none' } })),
      "--admission-control-config-file: '/none'",
    ],
    [
      'tolerations of no operator',
      () => clusterTolerations(tolerations({ default: [{ key: 'k', operator: 'Maybe' }] })),
      'PodTolerationRestriction: podtolerationrestriction.default[0].operator: Unsupported value: "Maybe"',
    ],
    [
      'levels and names that are none',
      () =>
        podSecurityConfiguration(
          security({ defaults: { enforce: 'much', 'audit-version': '1' }, exemptions: { usernames: ['a', 'a', ''] } }),
        ),
      'PodSecurity: [defaults.enforce: Invalid value: "much": must be one of privileged, baseline, restricted, ' +
        'defaults.audit-version: Invalid value: "1": must be "latest" or "v1.x", exemptions.usernames[1]: Duplicate ' +
        'value: "a", exemptions.usernames[2]: Invalid value: "": username must not be empty]',
    ],
  ] as const)
    it(`refuses ${title}`, () => {
      expect(run).to.throw(message);
    });
});
