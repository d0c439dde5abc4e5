import sys
src=open('.t.py').read().split("print(")[0]
exec(src)
n=300000
which=sys.argv[1]
call={'f':lambda: f(x),'g':lambda: g(x,y,3,[x,y]),'alt':alt,'o':lambda: o(x,p),'t':lambda: g(x,y,3,(x,y)),'none':lambda: None}[which]
for _ in range(n if len(sys.argv)<3 else 1000): call()
