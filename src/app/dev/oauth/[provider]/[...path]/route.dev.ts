export {
  handleDevelopmentOAuth as GET,
  handleDevelopmentOAuth as POST,
} from 'plinth/auth/oauth/development-server'
