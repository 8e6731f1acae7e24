import Glibc

/// Tries a forbidden operation; returns `done` or the system's error.
func attempt(_ what: String, _ path: String) -> String {
  switch what {
  case "environment":
    var names: [String] = []
    var entry = environ
    while let text = entry.pointee {
      names.append(String(cString: text))
      entry += 1
    }
    return names.joined(separator: " ")
  case "read": return outcome { Int(open(path, O_RDONLY)) }
  case "write": return outcome { Int(open(path, O_WRONLY | O_CREAT, 0o600)) }
  default: return "unknown"
  }
}

/// Makes the ten `forbiddenCalls` from an index on; returns a text for each: its name, a space, and `done` or the system's error.
func attempts(from first: Int) -> [String] {
  let buffer = Int(bitPattern: calloc(1, 4_096))
  func value(_ word: Substring) -> Int {
    if let number = Int(word) { return number }
    switch word {
    case "parent": return Int(getppid())
    case "buffer": return buffer
    default: return Int(bitPattern: strdup(word == "/proc/parent/mem" ? "/proc/\(getppid())/mem" : String(word)))
    }
  }
  return forbiddenCalls.split(separator: "\n").filter { !$0.hasPrefix("#") }.dropFirst(first).prefix(10).map { line in
    let words = line.split(separator: " ")
    var numbers = words.dropFirst().map(value)
    numbers += Array(repeating: 0, count: 7 - numbers.count)
    return "\(words[0]) " + outcome { systemCall(numbers) }
  }
}

private func outcome(of call: () -> Int) -> String {
  errno = 0
  return call() < 0 ? String(cString: strerror(errno)) : "done"
}

private func systemCall(_ numbers: [Int]) -> Int {
  typealias Call = @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int
  guard let function = dlsym(nil, "syscall") else { return 0 }
  let process = getpid()
  let result = unsafeBitCast(function, to: Call.self)(
    numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6])
  // A new process ends here.
  if getpid() != process { _exit(0) }
  return result
}

/// A line for each call: a name, the call's number on x86-64 and its arguments. None does harm if it is allowed.
private let forbiddenCalls = """
  # sockets, by family
  socket-inet 41 2 1
  socket-inet-datagram 41 2 2
  socket-inet-raw 41 2 3 1
  socket-inet6 41 10 1
  socket-unix 41 1 1
  socket-key 41 15 3 2
  socket-netlink 41 16 3
  socket-packet 41 17 3
  socket-can 41 29 3 1
  socket-tipc 41 30 1
  socket-bluetooth 41 31 5
  socket-alg 41 38 5
  socket-vsock 41 40 1
  socket-qrtr 41 42 2
  socket-smc 41 43 1
  socket-xdp 41 44 3
  socketpair 53 1 1 0 buffer
  connect 42 0 buffer 16
  bind 49 0 buffer 16
  listen 50 0 1
  accept 43 0
  accept4 288 0
  sendto 44 1 buffer 1
  sendmsg 46 1 buffer
  sendmmsg 307 1 buffer 1
  recvfrom 45 0 buffer 1 64
  recvmsg 47 0 buffer 64
  recvmmsg 299 0 buffer 1 64
  setsockopt 54 0 1 2 buffer 4
  getsockopt 55 0 1 2 buffer buffer
  getsockname 51 0 buffer buffer
  getpeername 52 0 buffer buffer
  shutdown 48 0 0
  # processes and programs
  fork 57
  clone 56 17
  clone-user-namespace 56 268435473
  clone3 435 buffer 64
  execve 59 /bin/true buffer buffer
  execveat 322 -100 /bin/true buffer buffer
  wait4 61 -1 0 1
  waitid 247 0 0 0 5
  setsid 112
  setpgid 109 0 0
  personality 135 0
  # other processes
  ptrace-traceme 101 0
  ptrace-attach 101 16 parent
  ptrace-seize 101 16902 parent
  process_vm_readv 310 parent buffer
  process_vm_writev 311 parent buffer
  kill-parent 62 parent
  kill-all 62 -1
  kill-group 62 0
  kill-self 62 1
  tkill 200 parent
  tgkill 234 parent parent
  rt_sigqueueinfo 129 parent 0 buffer
  rt_tgsigqueueinfo 297 parent parent 0 buffer
  pidfd_open 434 parent
  pidfd_send_signal 424 0
  pidfd_getfd 438 0 0
  process_madvise 440 0
  process_mrelease 448 0
  kcmp 312 parent parent
  prlimit-parent 302 parent 7 0 buffer
  prlimit-set 302 0 7 buffer
  setrlimit 160 7 buffer
  setpriority 141 0 parent 0
  ioprio_set 251 1 parent 0
  sched_setaffinity 203 parent 8 buffer
  sched_setscheduler 144 parent 0 buffer
  sched_setparam 142 parent buffer
  sched_setattr 314 parent buffer
  migrate_pages 256 parent
  move_pages 279 parent
  set-parent-death-signal 157 1 0
  set-child-subreaper 157 36 0
  set-tracer 157 1499557217 -1
  set-seccomp 157 22 1
  set-memory-map 157 35 8
  set-ambient-capabilities 157 47 4
  fcntl-owner 72 0 8 parent
  fcntl-signal 72 0 10 9
  fcntl-lease 72 0 1024 0
  fcntl-notify 72 0 1026 1
  fcntl-seals 72 0 1033 1
  # users and capabilities
  setuid 105 0
  setgid 106 0
  setreuid 113 -1 -1
  setregid 114 -1 -1
  setresuid 117 -1 -1 -1
  setresgid 119 -1 -1 -1
  setgroups 116 0 0
  setfsuid 122 -1
  setfsgid 123 -1
  capset 126 buffer buffer
  capget 125 buffer buffer
  # namespaces and mounts
  unshare-user 272 268435456
  unshare-network 272 1073741824
  unshare-mounts 272 131072
  unshare-processes 272 536870912
  setns 308 0
  mount 165 /nonexistent /nonexistent buffer
  umount2 166 /nonexistent
  pivot_root 155 /nonexistent /nonexistent
  chroot 161 /nonexistent
  open_tree 428 -100 /nonexistent
  move_mount 429 -100 /nonexistent -100 /nonexistent
  fsopen 430 tmpfs
  fsconfig 431 0
  fsmount 432 0
  fspick 433 -100 /nonexistent
  mount_setattr 442 -100 /nonexistent
  # the kernel
  io_uring_setup 425 8 buffer
  io_uring_enter 426 0
  io_uring_register 427 0
  io_setup 206 1 buffer
  io_submit 209 0
  bpf 321 5 buffer 64
  perf_event_open 298 buffer 0 -1 -1
  userfaultfd 323 0
  seccomp 317 1 0 buffer
  landlock_create_ruleset 444 buffer 8
  add_key 248 user buffer buffer 1 -3
  request_key 249 user buffer
  keyctl 250 0 -3
  init_module 175 buffer 0 buffer
  finit_module 313 0 buffer
  delete_module 176 nonexistent
  kexec_load 246 0 1
  kexec_file_load 320 -1 -1
  reboot 169
  swapon 167 /nonexistent
  swapoff 168 /nonexistent
  acct 163 /nonexistent
  quotactl 179 0 /nonexistent
  syslog 103 10
  iopl 172 0
  ioperm 173 0 0
  modify_ldt 154 0 buffer 0
  sethostname 170 buffer -1
  setdomainname 171 buffer -1
  settimeofday 164
  clock_settime 227 1 buffer
  clock_adjtime 305 -1 buffer
  adjtimex 159 0
  fanotify_init 300 0
  inotify_init1 294 0
  open_by_handle_at 304 -100 buffer
  name_to_handle_at 303 -100 /nonexistent buffer buffer
  # memory that its limits do not count, and memory of others
  memfd_create 319 nonexistent 0
  memfd_secret 447 0
  shmget 29 0 4096 512
  shmat 30 0
  semget 64 0 1 512
  msgget 68 0 512
  mq_open 240 nonexistent 0
  mlock 149 buffer 1
  mlockall 151 0
  mmap-shared 9 0 1048576 3 33 -1
  mmap-write-execute 9 0 4096 7 33 -1
  # changes of files
  creat 85 /nonexistent/a
  truncate 76 /nonexistent
  ftruncate 77 0 0
  fallocate 285 1 0 0 1
  unlink 87 /nonexistent
  unlinkat 263 -100 /nonexistent
  rename 82 /nonexistent /nonexistent
  renameat2 316 -100 /nonexistent -100 /nonexistent
  link 86 /nonexistent /nonexistent
  linkat 265 -100 /nonexistent -100 /nonexistent
  symlink 88 /nonexistent /nonexistent/a
  symlinkat 266 /nonexistent -100 /nonexistent/a
  mkdir 83 /nonexistent/a
  mkdirat 258 -100 /nonexistent/a
  rmdir 84 /nonexistent
  mknod 133 /nonexistent/a 4480
  mknodat 259 -100 /nonexistent/a 4480
  chmod 90 /nonexistent
  fchmod 91 -1
  fchmodat 268 -100 /nonexistent
  chown 92 /nonexistent
  fchown 93 -1
  lchown 94 /nonexistent
  utimensat 280 -100 /nonexistent
  setxattr 188 /nonexistent
  removexattr 197 /nonexistent
  copy_file_range 326 -1 0 -1 0 1
  sendfile 40 -1 -1 0 1
  splice 275 -1 0 -1 0 1
  vmsplice 278 -1
  sync 162
  # reading and writing elsewhere
  open-users 2 /etc/passwd 0
  open-passwords 2 /etc/shadow 0
  open-root 2 / 65536
  open-home 2 /home 65536
  open-configuration 2 /etc 65536
  open-run 2 /run 65536
  open-var 2 /var/lib 65536
  open-temporary 2 /tmp 65536
  open-devices 2 /dev 65536
  open-terminal 2 /dev/tty 2
  open-multiplexer 2 /dev/ptmx 2
  open-log 2 /dev/kmsg 0
  open-full 2 /dev/full 1
  open-zero 2 /dev/zero 1
  open-null 2 /dev/null 1
  open-parent-memory 2 /proc/parent/mem 0
  open-own-memory 2 /proc/self/mem 2
  open-first-process 2 /proc/1/environ 0
  open-kernel-setting 2 /proc/sys/kernel/core_pattern 1
  open-adjustment 2 /proc/self/oom_score_adj 1
  create-temporary 2 /tmp/placesd-misbehaving 65 384
  create-shared-memory 2 /dev/shm/placesd-misbehaving 65 384
  create-beside-programs 2 /usr/lib/placesd-misbehaving 65 384
  openat-users 257 -100 /etc/passwd 0
  # terminals, whose input a command could fake
  ioctl-input 16 0 21522 buffer
  ioctl-console 16 0 21532 buffer
  ioctl-owner 16 0 35073 buffer
  ioctl-terminal 16 0 21518 0
  """
