import RPC
