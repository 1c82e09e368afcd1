import { doctorCommand } from 'plinth/commands/doctor'
import { app } from '@/register'

await doctorCommand(app)
