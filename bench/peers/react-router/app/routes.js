import { route } from '@react-router/dev/routes'

export default [route('users', './routes/users.jsx'), route('sign-in', './routes/sign-in.jsx')]
