import { expect } from 'chai';
import type { AdmissionPlugin } from '../admission/admission.ts';
import { chosenPlugins, offeredPlugins } from './admission-registry.ts';

describe('admission registry', () => {
  const plugin = (name: string) => (): AdmissionPlugin => ({ name, handles: () => true });
  const offered = offeredPlugins({
    ResourceQuota: plugin('ResourceQuota'),
    NodeRestriction: plugin('NodeRestriction'),
    NamespaceLifecycle: plugin('NamespaceLifecycle'),
  });
  const chosen = (enabled: string[], disabled: string[] = []): string[] =>
    chosenPlugins(
      {
        'enable-admission-plugins': enabled,
        'disable-admission-plugins': disabled,
        'admission-control': [],
        'admission-control-config-file': '',
      },
      offered,
    ).map(({ name }) => name);

  it('runs what is on by default, in the order of the table', () => {
    expect(chosen([])).to.deep.equal(['NamespaceLifecycle', 'ResourceQuota']);
  });
  it('adds what is enabled, where the table has it', () => {
    expect(chosen(['NodeRestriction'])).to.deep.equal(['NamespaceLifecycle', 'NodeRestriction', 'ResourceQuota']);
  });
  it('leaves out what is disabled', () => {
    expect(chosen([], ['ResourceQuota', 'PodSecurity'])).to.deep.equal(['NamespaceLifecycle']);
  });
  it('leaves to other servers what it does not offer', () => {
    expect(chosen(['EventRateLimit'])).to.deep.equal(['NamespaceLifecycle', 'ResourceQuota']);
  });

  for (const [title, run, message] of [
    ['enabled', () => chosen(['Nobody']), '--enable-admission-plugins plugin "Nobody" is unknown'],
    ['disabled', () => chosen([], ['Nobody']), '--disable-admission-plugins plugin "Nobody" is unknown'],
    [
      'both',
      () => chosen(['NodeRestriction'], ['NodeRestriction']),
      'NodeRestriction in --enable-admission-plugins and --disable-admission-plugins overlapped',
    ],
  ] as const) {
    it(`refuses wrong flags: ${title}`, () => {
      expect(run).to.throw(message);
    });
  }
  it('offers only what the table knows', () => {
    expect(() => offeredPlugins({ Mine: plugin('Mine') })).to.throw(TypeError, 'Mine is not in the table');
  });
});
