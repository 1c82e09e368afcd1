export {
  authorizeAtProvider,
  followCallback,
  oauthServers,
  signInWith,
  startOAuth,
} from '#testing/oauth/oauth'
export {
  allowOrigin,
  encodePart,
  type IdTokenSigner,
  type OAuthServer,
  type ProviderUser,
  privateKey,
  publicKey,
  signWith,
  startOAuthServer,
} from '#testing/oauth/oauth-server'
