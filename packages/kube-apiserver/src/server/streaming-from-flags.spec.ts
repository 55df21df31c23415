import { featureGatesOf, knownFlags, OptionsError, parseFlags } from '@kubechain/apiserver/options';
import { expect } from 'chai';
import { kubeApiserverFlags } from '../flags.ts';
import { streamingFromFlags } from './streaming-from-flags.ts';

const streaming = (
  argv: readonly string[],
  gates: Readonly<Record<string, string>> = {},
): ReturnType<typeof streamingFromFlags> =>
  streamingFromFlags(
    parseFlags(argv, { kubeApiserver: kubeApiserverFlags }).values.kubeApiserver,
    featureGatesOf({ features: { 'feature-gates': new Map(Object.entries(gates)) } }),
  );

describe('streams by the flags of kubelets', () => {
  const node = {
    status: {
      addresses: [
        { type: 'Hostname', address: 'one' },
        { type: 'InternalIP', address: '10.0.0.1' },
      ],
    },
  };

  it('go to the port of --kubelet-port', () => {
    expect(streaming(['--kubelet-port=1234']).kubelets.connection(node).port).to.equal('1234');
  });

  it('go to the first type of --kubelet-preferred-address-types', () => {
    const { kubelets } = streaming(['--kubelet-preferred-address-types=InternalIP,Hostname']);
    expect(kubelets.connection(node).hostname).to.equal('10.0.0.1');
  });

  it('do what the feature gates say', () => {
    const { features } = streaming([], { PodLogsQuerySplitStreams: 'true', PortForwardWebsockets: 'false' });
    expect(features).to.include({ splitLogStreams: true, tunnelsPortForwards: false });
  });

  const refusals: readonly (readonly [name: string, argv: readonly string[], message: string])[] = [
    [
      'a certificate without its key',
      ['--kubelet-client-certificate=/a'],
      '--kubelet-client-certificate: must be given with --kubelet-client-key',
    ],
    [
      'a key without its certificate',
      ['--kubelet-client-key=/a'],
      '--kubelet-client-key: must be given with --kubelet-client-certificate',
    ],
    [
      'authorities that are not there',
      ['--kubelet-certificate-authority=/none'],
      '--kubelet-certificate-authority: cannot read /none: no such file',
    ],
  ];
  for (const flag of ['certificate-authority', 'client-certificate', 'client-key'])
    it(`let launchers look at the file of --kubelet-${flag}`, () => {
      const known = knownFlags({ kubeApiserver: kubeApiserverFlags }).get(`kubelet-${flag}`);
      expect(() => known?.check?.('/none')).to.throw(OptionsError, 'cannot read /none: no such file');
    });

  for (const [name, argv, message] of refusals)
    it(`refuse ${name}`, () => {
      expect(() => streaming(argv)).to.throw(OptionsError, message);
    });
});
