import { setUpTests } from 'plinth/testing'
import { app } from '@/register'

setUpTests(app)
