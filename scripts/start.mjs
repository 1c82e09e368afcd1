// Parsed by every Node that loads ES modules: no syntax here that Node 12 cannot parse.
import '../packages/plinth/scripts/run.mjs'
