import type { ObjectMeta } from '@kubechain/apimachinery';
import type { Container, PodSecurityContext, PodSpec, SecurityContext } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { allChecks } from './all-checks.ts';
import { detailsText, evaluatePod, reasonsText } from './evaluate.ts';
import type { Level } from './level-version.ts';

const safe: SecurityContext = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};
const c = (securityContext?: SecurityContext, fields: Partial<Container> = {}): Container => ({
  name: 'c',
  ...(securityContext === undefined ? {} : { securityContext }),
  ...fields,
});
const d = (securityContext?: SecurityContext, fields: Partial<Container> = {}): Container =>
  c(securityContext, { name: 'd', ...fields });
const one = (securityContext?: SecurityContext, fields: Partial<Container> = {}): PodSpec => ({
  containers: [c(securityContext, fields)],
});
const two = (context: SecurityContext): PodSpec => ({ initContainers: [d(context)], containers: [c(context)] });
const pod = (securityContext: PodSecurityContext, more: Partial<PodSpec> = {}): PodSpec => ({
  ...one(),
  securityContext,
  ...more,
});
const volumes = (...sources: object[]): PodSpec => ({
  ...one(safe),
  volumes: sources.map((source, i) => ({ name: `v${i}`, ...source })),
});
const aa = 'container.apparmor.security.beta.kubernetes.io/';
const scPod = 'seccomp.security.alpha.kubernetes.io/pod';
const scContainer = 'container.seccomp.security.alpha.kubernetes.io/';

interface Row {
  readonly name: string;
  readonly at: readonly [level: Level, version?: string];
  readonly spec: PodSpec;
  readonly annotations?: Record<string, string>;
  readonly expected: string;
}

const baseline: Row['at'] = ['baseline'];
const restricted: Row['at'] = ['restricted'];
const restrictedMessage =
  'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), ' +
  'unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), ' +
  'runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), seccompProfile ' +
  '(pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")';

const rows: readonly Row[] = [
  { name: 'a plain pod', at: baseline, spec: one(), expected: '' },
  {
    name: 'anything where all is privileged',
    at: ['privileged'],
    spec: { ...two({ privileged: true }), hostPID: true },
    expected: '',
  },
  {
    name: 'privileged containers, init containers first',
    at: baseline,
    spec: two({ privileged: true }),
    expected: 'privileged (containers "d", "c" must not set securityContext.privileged=true)',
  },
  {
    name: 'an ephemeral container',
    at: baseline,
    spec: { ...one(), ephemeralContainers: [{ name: 'e', image: 'i', securityContext: { privileged: true } }] },
    expected: 'privileged (container "e" must not set securityContext.privileged=true)',
  },
  {
    name: 'namespaces of the host',
    at: baseline,
    spec: { ...one(), hostIPC: true, hostPID: true, hostNetwork: true },
    expected: 'host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)',
  },
  {
    name: 'several at once, by id',
    at: baseline,
    spec: { ...one({ privileged: true }), hostPID: true },
    expected: 'host namespaces (hostPID=true), privileged (container "c" must not set securityContext.privileged=true)',
  },
  {
    name: 'one host path',
    at: baseline,
    spec: volumes({ hostPath: { path: '/' } }, { emptyDir: {} }),
    expected: 'hostPath volumes (volume "v0")',
  },
  {
    name: 'host paths',
    at: baseline,
    spec: volumes({ hostPath: { path: '/' } }, { hostPath: { path: '/a' } }),
    expected: 'hostPath volumes (volumes "v0", "v1")',
  },
  {
    name: 'one host port',
    at: baseline,
    spec: one(undefined, {
      ports: [
        { containerPort: 1, hostPort: 0 },
        { containerPort: 2, hostPort: 2 },
      ],
    }),
    expected: 'hostPort (container "c" uses hostPort 2)',
  },
  {
    name: 'host ports, ordered as texts',
    at: baseline,
    spec: {
      containers: [
        c(undefined, { ports: [{ containerPort: 9, hostPort: 9 }] }),
        d(undefined, {
          ports: [
            { containerPort: 10, hostPort: 10 },
            { containerPort: 9, hostPort: 9 },
          ],
        }),
      ],
    },
    expected: 'hostPort (containers "c", "d" use hostPorts 10, 9)',
  },
  {
    name: 'capabilities that are not usual',
    at: baseline,
    spec: one({ capabilities: { add: ['SYS_TIME', 'CHOWN', 'NET_RAW'] } }),
    expected:
      'non-default capabilities (container "c" must not include "NET_RAW", "SYS_TIME" in ' +
      'securityContext.capabilities.add)',
  },
  {
    name: 'AppArmor profiles of pod and container',
    at: baseline,
    spec: {
      ...pod({ appArmorProfile: { type: 'Unconfined' } }),
      containers: [c({ appArmorProfile: { type: 'Unconfined' } })],
    },
    expected: 'forbidden AppArmor profile (pod and container "c" must not set AppArmor profile type to "Unconfined")',
  },
  {
    name: 'AppArmor profiles that are fine',
    at: baseline,
    spec: pod(
      { appArmorProfile: { type: 'RuntimeDefault' } },
      { containers: [c({ appArmorProfile: { type: 'Localhost', localhostProfile: 'p' } })] },
    ),
    annotations: { [`${aa}c`]: 'localhost/p' },
    expected: '',
  },
  {
    name: 'AppArmor by annotations',
    at: baseline,
    spec: one(),
    annotations: { [`${aa}d`]: 'x', [`${aa}c`]: 'unconfined', [`${aa}e`]: '' },
    expected:
      `forbidden AppArmor profiles (annotations must not set AppArmor profile type to "${aa}c="unconfined"", ` +
      `"${aa}d="x"")`,
  },
  { name: 'a masked /proc', at: baseline, spec: two({ procMount: 'Default' }), expected: '' },
  {
    name: 'an unmasked /proc',
    at: baseline,
    spec: two({ procMount: 'Unmasked' }),
    expected: 'procMount (containers "d", "c" must not set securityContext.procMount to "Unmasked")',
  },
  {
    name: 'an unmasked /proc in a user namespace',
    at: baseline,
    spec: { ...two({ procMount: 'Unmasked' }), hostUsers: false },
    expected: '',
  },
  {
    name: 'an unmasked /proc in a user namespace before 1.35',
    at: ['baseline', 'v1.34'],
    spec: { ...one({ procMount: 'Unmasked' }), hostUsers: false },
    expected: 'procMount (container "c" must not set securityContext.procMount to "Unmasked")',
  },
  {
    name: 'an unmasked /proc in a restricted user namespace',
    at: restricted,
    spec: { ...one({ ...safe, procMount: 'Unmasked' }), hostUsers: false },
    expected: 'procMount (container "c" must not set securityContext.procMount to "Unmasked")',
  },
  {
    name: 'an unmasked /proc, restricted before 1.35',
    at: ['restricted', 'v1.34'],
    spec: one({ ...safe, procMount: 'Unmasked' }),
    expected: 'procMount (container "c" must not set securityContext.procMount to "Unmasked")',
  },
  {
    name: 'SELinux options',
    at: baseline,
    spec: {
      ...pod({ seLinuxOptions: { type: 'b' } }),
      containers: [c({ seLinuxOptions: { type: 'a', user: 'u' } }), d({ seLinuxOptions: { role: 'r', level: 'l' } })],
    },
    expected:
      'seLinuxOptions (pod and containers "c", "d" set forbidden securityContext.seLinuxOptions: types "a", ' +
      '"b"; user may not be set; role may not be set)',
  },
  {
    name: 'SELinux levels and types of containers',
    at: baseline,
    spec: pod({ seLinuxOptions: { type: 'container_engine_t', level: 'l' } }),
    expected: '',
  },
  {
    name: 'a SELinux type that 1.31 brought',
    at: ['baseline', 'v1.30'],
    spec: pod({ seLinuxOptions: { type: 'container_engine_t' } }),
    expected: 'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "container_engine_t")',
  },
  {
    name: 'seccomp by field',
    at: baseline,
    spec: {
      ...two({ seccompProfile: { type: 'Unconfined' } }),
      securityContext: { seccompProfile: { type: 'Unconfined' } },
    },
    expected:
      'seccompProfile (pod and containers "d", "c" must not set securityContext.seccompProfile.type to "Unconfined")',
  },
  { name: 'seccomp by annotation', at: baseline, spec: one(), annotations: { [scPod]: 'unconfined' }, expected: '' },
  {
    name: 'seccomp by annotation before 1.19',
    at: ['baseline', 'v1.18'],
    spec: one({ seccompProfile: { type: 'Unconfined' } }),
    annotations: { [scPod]: 'unconfined', [`${scContainer}c`]: '', [`${scContainer}other`]: 'x' },
    expected: `seccompProfile (forbidden annotations ${scContainer}c="", ${scPod}="unconfined")`,
  },
  {
    name: 'sysctls',
    at: baseline,
    spec: pod({
      sysctls: [
        { name: 'z', value: '' },
        { name: 'net.ipv4.tcp_rmem', value: '' },
        { name: 'a', value: '' },
      ],
    }),
    expected: 'forbidden sysctls (z, a)',
  },
  {
    name: 'sysctls that came later',
    at: ['baseline', 'v1.28'],
    spec: pod({
      sysctls: ['net.ipv4.tcp_rmem', 'net.ipv4.tcp_fin_timeout', 'net.ipv4.ip_local_reserved_ports'].map((name) => ({
        name,
        value: '',
      })),
    }),
    expected: 'forbidden sysctls (net.ipv4.tcp_rmem, net.ipv4.tcp_fin_timeout)',
  },
  {
    name: 'processes of a Windows node',
    at: baseline,
    spec: {
      ...two({ windowsOptions: { hostProcess: true } }),
      securityContext: { windowsOptions: { hostProcess: true } },
    },
    expected: 'hostProcess (pod and containers "d", "c" must not set securityContext.windowsOptions.hostProcess=true)',
  },
  {
    name: 'probes of other hosts',
    at: baseline,
    spec: {
      containers: [
        d(undefined, {
          livenessProbe: { httpGet: { host: 'b', port: 1 } },
          startupProbe: { tcpSocket: { host: 'a', port: 1 } },
        }),
        c(undefined, {
          lifecycle: { preStop: { httpGet: { host: 'b', port: 1 } } },
          readinessProbe: { httpGet: { host: '', port: 1 } },
        }),
      ],
    },
    expected: 'probe or lifecycle host (containers "c", "d" use probe or lifecycle hosts "a", "b")',
  },
  {
    name: 'probes of other hosts before 1.34',
    at: ['baseline', 'v1.33'],
    spec: one(undefined, { livenessProbe: { httpGet: { host: 'b', port: 1 } } }),
    expected: '',
  },
  {
    name: 'a version of the future',
    at: ['baseline', 'v1.99'],
    spec: one(undefined, { livenessProbe: { httpGet: { host: 'b', port: 1 } } }),
    expected: 'probe or lifecycle host (container "c" uses probe or lifecycle host "b")',
  },
  { name: 'a plain pod, restricted', at: restricted, spec: one(), expected: restrictedMessage },
  {
    name: 'a plain pod, restricted as in 1.0',
    at: ['restricted', 'v1.0'],
    spec: one(),
    expected: 'runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)',
  },
  { name: 'a pod that says all', at: restricted, spec: one(safe), expected: '' },
  {
    name: 'a pod that says it for its containers',
    at: restricted,
    spec: {
      ...pod({ runAsNonRoot: true, seccompProfile: { type: 'Localhost', localhostProfile: 'p' } }),
      containers: [c({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } })],
    },
    expected: '',
  },
  {
    name: 'what says the contrary',
    at: restricted,
    spec: {
      ...pod({ runAsNonRoot: false, runAsUser: 0, seccompProfile: { type: 'Unconfined' } }),
      containers: [
        c({
          ...safe,
          runAsNonRoot: false,
          runAsUser: 0,
          capabilities: { drop: ['CHOWN'], add: ['SYS_TIME', 'CHOWN'] },
        }),
      ],
    },
    expected:
      'unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]; container ' +
      '"c" must not include "CHOWN", "SYS_TIME" in securityContext.capabilities.add), runAsNonRoot != true ' +
      '(pod and container "c" must not set securityContext.runAsNonRoot=false), ' +
      'runAsUser=0 (pod and container "c" must not set runAsUser=0), seccompProfile (pod must not set ' +
      'securityContext.seccompProfile.type to "Unconfined")',
  },
  {
    name: 'root in a user namespace',
    at: restricted,
    spec: { ...one({ ...safe, runAsNonRoot: false, runAsUser: 0 }), hostUsers: false },
    expected: '',
  },
  { name: 'user 0 before 1.23', at: ['restricted', 'v1.22'], spec: one({ ...safe, runAsUser: 0 }), expected: '' },
  {
    name: 'capabilities before 1.22',
    at: ['restricted', 'v1.21'],
    spec: one({ ...safe, capabilities: { add: ['SYS_TIME'] } }),
    expected:
      'non-default capabilities (container "c" must not include "SYS_TIME" in securityContext.capabilities.add)',
  },
  {
    name: 'a pod for Windows',
    at: restricted,
    spec: { ...one(), os: { name: 'windows' }, securityContext: { runAsNonRoot: true } },
    expected: '',
  },
  {
    name: 'a pod for Windows before 1.25',
    at: ['restricted', 'v1.24'],
    spec: { ...one(), os: { name: 'windows' }, securityContext: { runAsNonRoot: true } },
    expected:
      'allowPrivilegeEscalation != false (container "c" must set ' +
      'securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "c" must set ' +
      'securityContext.capabilities.drop=["ALL"]), ' +
      'seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" ' +
      'or "Localhost")',
  },
  {
    name: 'one restricted volume',
    at: restricted,
    spec: volumes({ configMap: {} }, { hostPath: { path: '/' } }),
    expected: 'restricted volume types (volume "v1" uses restricted volume type "hostPath")',
  },
  {
    name: 'restricted volumes',
    at: restricted,
    spec: volumes({ nfs: { server: 's', path: '/' } }, { gitRepo: { repository: 'r' } }, {}),
    expected:
      'restricted volume types (volumes "v0", "v1", "v2" use restricted volume types "gitRepo", "nfs", "unknown")',
  },
];

describe('Pod Security Standards', () => {
  for (const {
    annotations,
    at: [level, version = 'latest'],
    expected,
    name,
    spec,
  } of rows) {
    it(`${level}:${version}: ${name}`, () => {
      const metadata: ObjectMeta = annotations === undefined ? {} : { annotations };
      expect(detailsText(evaluatePod({ level, version }, { metadata, spec }))).to.equal(expected);
    });
  }

  it('are none that are later than the server', () => {
    const pod = { spec: { ...one({ procMount: 'Unmasked' }), hostUsers: false } };
    const violations = (serverMinor?: number): number =>
      evaluatePod({ level: 'baseline', version: 'latest' }, pod, serverMinor).length;
    expect([violations(34), violations(35), violations()]).to.deep.equal([1, 0, 0]);
  });

  it('reasons alone', () => {
    expect(
      reasonsText(
        evaluatePod(
          { level: 'baseline', version: 'latest' },
          { spec: { ...one({ privileged: true }), hostPID: true } },
        ),
      ),
    ).to.equal('host namespaces, privileged');
  });

  it('checks are in the order of their ids, baseline first', () => {
    const keys = allChecks.map(({ id, level }) => `${level} ${id}`);
    expect(keys).to.deep.equal([...new Set(keys)].toSorted());
  });

  it('revisions follow each other', () => {
    for (const { id, revisions } of allChecks)
      expect(
        revisions.map(({ since }) => since),
        id,
      ).to.deep.equal(revisions.map(({ since }) => since).toSorted((a, b) => a - b));
  });

  it('overrides are baseline checks', () => {
    const ids = allChecks.filter(({ level }) => level === 'baseline').map(({ id }) => id);
    expect(ids).to.include.members(
      allChecks.flatMap(({ revisions }) => revisions.flatMap(({ overrides = [] }) => overrides)),
    );
  });
});
