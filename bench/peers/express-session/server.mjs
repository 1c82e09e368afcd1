import connectPgSimple from 'connect-pg-simple'
import express from 'express'
import session from 'express-session'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
const Store = connectPgSimple(session)

const app = express()

app.use(
  session({
    store: new Store({ pool }),
    secret: process.env.AUTH_SECRET,
    resave: false,
    saveUninitialized: false,
    cookie: { maxAge: 30 * 24 * 60 * 60 * 1000 },
  }),
)

app.get('/session', (request, response) => {
  const { user, cookie } = request.session
  response.json(user ? { user, expires: cookie.expires } : null)
})

app.listen(Number(process.env.PORT), '127.0.0.1')
