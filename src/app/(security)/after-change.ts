/** After a change of factors: the page offers to revoke other sessions. */
export const afterChange = '/account/security?changed=factors'
