import type { KubeObject } from '@kubechain/apimachinery';
import type { UserInfo } from '@kubechain/apiserver/resources';

/** authentication/v1 UserInfo of a user. */
export function userInfoObject(user: UserInfo): KubeObject {
  return {
    ...(user.name === '' ? {} : { username: user.name }),
    ...(user.uid === undefined || user.uid === '' ? {} : { uid: user.uid }),
    ...(user.groups.length === 0 ? {} : { groups: [...user.groups] }),
    ...(user.extra === undefined || Object.keys(user.extra).length === 0 ? {} : { extra: structuredClone(user.extra) }),
  };
}
