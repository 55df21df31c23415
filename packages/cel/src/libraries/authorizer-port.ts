/** user.Info, as far as expressions make one; a server's own may say more. */
export interface CheckedUser {
  readonly name: string;
  readonly groups: readonly string[];
}

/** What an expression asks of the authorizer. For what is no resource only user, verb and path are set. */
export interface RightsQuestion {
  readonly user: CheckedUser;
  readonly verb: string;
  readonly resourceRequest: boolean;
  readonly path: string;
  readonly namespace: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

/** The authorizer's answer. */
export interface RightsAnswer {
  readonly decision: 'Allow' | 'Deny' | 'NoOpinion';
  readonly reason: string;
}

/** Who answers: a server's authorizer is one. */
export interface RightsAuthorizer {
  authorize(question: RightsQuestion): RightsAnswer | Promise<RightsAnswer>;
}
