import { serve } from 'plinth/server/serve'
import { app } from '@/register'

await serve(app)
