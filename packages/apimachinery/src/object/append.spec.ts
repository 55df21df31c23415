import { expect } from 'chai';
import { validateObjectMeta } from '../validation/object-meta.ts';
import { append } from './append.ts';

describe('append', () => {
  it('takes more items than a call has room for arguments', () => {
    const list = [0];
    append(
      list,
      Array.from({ length: 1_000_000 }, (_, i) => i),
    );
    expect(list).to.have.length(1_000_001);
  });

  it('lets validation tell what is wrong with items beyond the errors that anybody is told', () => {
    const ownerReferences = Array.from({ length: 300_000 }, () => ({ apiVersion: '', kind: '', name: '', uid: '' }));
    const errors = validateObjectMeta({ name: 'a', ownerReferences }, { namespaced: false, validateName: () => [] });
    expect(errors.length).to.be.greaterThan(65_000);
  });
});
